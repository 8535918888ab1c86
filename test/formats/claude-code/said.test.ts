// What Claude Code's session file says of what its calls changed.
import { join } from "node:path"
import { expect, test } from "vitest"
import { saidCalls } from "../../../src/foreign/log/said-calls.ts"
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
  expect(await said("tools-full.v197.jsonl")).toEqual([one, edit])
  expect(await said("tools-full.v325.jsonl")).toEqual([
    one,
    'new.txt {"hunks":[{"newStart":1,"lines":[" one","+two"]}],"lineEnds":"exact","lastEnd":"unknown"}',
    edit,
    // It names the files of one command, so the others changed none.
    "",
    "",
  ])
})
