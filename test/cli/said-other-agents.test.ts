// Restores in other agents' sessions without hooks, from what their own files tell of each call: recorded by the real programs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { FilesBench } from "./files-bench.ts"

let bench: FilesBench
beforeEach(() => {
  bench = new FilesBench()
})

/** Puts a recorded session where its agent would, as if it had worked in this folder. */
function recorded(sample: string, at: string): string {
  const path = join(bench.folder, "person", at)
  mkdirSync(dirname(path), { recursive: true })
  const text = readFileSync(join(import.meta.dirname, "../formats", sample), "utf8")
  writeFileSync(path, text.replaceAll("/home/dev/work", bench.cwd))
  return path
}

function putAll(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) bench.put(path, text)
}

function contents(...paths: string[]): Record<string, string | undefined> {
  return Object.fromEntries(paths.map((path) => [path, bench.get(path)]))
}

test("Gemini CLI: what its tools wrote comes back; line ends that it does not tell, and commands, are named", async () => {
  const session = recorded("gemini-cli/samples/chats/edited.jsonl", ".gemini/tmp/work/chats/session-1-2940aac4.jsonl")
  const stays = { "mixed.txt": "one\r\nTWO\r\nthree\r\n", "shell.txt": "shell\n" }
  putAll({ "new.txt": "new\n", "made.txt": "made\n", "old.txt": "ONE\n", "crlf.txt": "ONE\r\ntwo\r\n", ...stays })
  putAll({ "edit.txt": "one\nTWO\nthree" })
  const out = await bench.done(`restore @1 -s ${session}`)
  expect(contents("new.txt", "made.txt", "old.txt", "crlf.txt", "edit.txt", ...Object.keys(stays))).toEqual({
    "old.txt": "one\ntwo\nthree\n",
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "edit.txt": "one\ntwo\nthree",
    ...stays,
  })
  const told = out.replace(/\s+/g, " ")
  expect(told).toContain("What Gemini CLI changed in mixed.txt stays: what it contained before is not recorded.")
  expect(told).toContain("1 shell command ran in a round without snapshots: what it changed is not known, and stays.")
  await bench.done(`undo -s ${session} --even-if-running`)
  expect(contents("new.txt", "edit.txt")).toEqual({ "new.txt": "new\n", "edit.txt": "one\nTWO\nthree" })
  // It keeps no copies, so there is nothing to compare with.
  const { exit, err } = await bench.run(["diff", "-s", session])
  expect([exit, err]).toEqual([1, expect.stringContaining("with: retcon hooks install gemini-cli\n")])
})
