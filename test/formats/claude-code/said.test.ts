// What Claude Code's session file says of what its calls changed.
import { join } from "node:path"
import { expect, test } from "vitest"
import { saidCalls } from "../../../src/foreign/log/agent-copies.ts"
import { claudeCode } from "../../../src/formats/claude-code/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { readSession } from "../read-session.ts"

const SAMPLES = join(import.meta.dirname, "samples")

/** Each call's files, by name, with how the change is told. */
async function said(sample: string): Promise<string[]> {
  const session = await readSession(claudeCode, join(SAMPLES, sample))
  return saidCalls(session, NONE, (path) => path.split("/").at(-1) ?? "").map(({ files }) =>
    files.map(({ path, change }) => `${path} ${JSON.stringify(change)}`).join(", "),
  )
}

test("edits are told whole; commands of newer versions with hunks", async () => {
  const one = 'new.txt {"before":null,"after":"one\\n","lineEnds":"lf"}'
  const edit = 'new.txt {"before":"one\\ntwo\\n","after":"ONE\\ntwo\\n","lineEnds":"lf"}'
  // The sub-agent made no call, so the one that started it changed nothing.
  expect(await said("tools-full.v197.jsonl")).toEqual(["", one, edit])
  expect(await said("tools-full.v325.jsonl")).toEqual([
    "",
    one,
    'new.txt {"hunks":[{"newStart":1,"lines":[" one","+two"]}],"lineEnds":"exact","lastEnd":"unknown"}',
    edit,
    // It names the files of one command, so the others changed none.
    "",
    "",
  ])
})

test("a command tells the hunks of five files and the names of all; a file too large to repeat is not one that was created", async () => {
  const [seven, ends, gone, crlf, large, ...none] = await said("shell-changes.v326.jsonl")
  const hunks =
    '{"hunks":[{"newStart":12,"lines":[" 12"," 13"," 14","-15","+changed"," 16"," 17"," 18"]}],"lineEnds":"exact","lastEnd":"unknown"}'
  expect(seven?.split(", ")).toEqual([
    "bin.dat undefined",
    'created.txt {"before":null,"after":"new\\n","lineEnds":"exact","lastEnd":"unknown"}',
    'del.txt {"before":"del\\n","after":null,"lineEnds":"exact","lastEnd":"unknown"}',
    ...["f1", "f2", "f3"].map((name) => `${name}.txt ${hunks}`),
    ...["f4", "f5", "f6", "f7"].map((name) => `${name}.txt undefined`),
  ])
  expect(ends).toContain('crlf.txt {"hunks":[{"newStart":1,"lines":[" x\\r","-y\\r","+Y\\r"," z\\r"]}]')
  expect(gone).toContain('link {"before":null,"after":"a.txt\\n"')
  // An edit tells CRLF as LF.
  expect(crlf).toBe('crlf.txt {"before":"x\\nY\\nz\\n","after":"X\\nY\\nz\\n","lineEnds":"lf"}')
  expect(large).toMatch(/^big\.txt \{"hunks":\[\{"newStart":3,/)
  // Of the last command it could not tell what it changed.
  expect(none).toEqual([])
})
