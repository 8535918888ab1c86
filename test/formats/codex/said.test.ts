// What Codex's session file says of what its patches changed: on a line before that of the result, with the same id.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { saidCalls } from "../../../src/foreign/log/agent-copies.ts"
import { codex } from "../../../src/formats/codex/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { readSession, temporaryFolder } from "../read-session.ts"

const ROLLOUT = "rollout-2026-11-18T11-53-19-01a1ee81-152e-7702-9484-5570d6d94f5a.jsonl"

test("a patch is told with its result, so a moment right before that result is before the patch", async () => {
  const session = await readSession(codex, join(import.meta.dirname, "samples/patched", ROLLOUT))
  const since = (row: number) => saidCalls(session, row, (path) => path)
  const all = since(NONE)
  expect(all.map(({ call }) => call)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10].map((n) => `call_${n}_0`))
  const fourth = all[3]
  expect(fourth?.files).toEqual([
    { path: "/home/dev/work/gone.txt", change: { before: "gone\n", after: null, lineEnds: "exact" } },
  ])
  expect(since(fourth?.row ?? NONE)[0]).toEqual(fourth)
  expect(since((fourth?.row ?? NONE) + 1)[0]).toEqual(all[4])
})

test("a patch that does not fit changed nothing, not even the files before the one that it did not fit", async () => {
  const session = await readSession(codex, join(import.meta.dirname, "samples/patched", ROLLOUT))
  const failed = saidCalls(session, NONE, (path) => path).find(({ call }) => call === "call_8_0")
  expect(failed?.files).toEqual([])
})

test("the patches of its sub-agents, and of theirs, are told in their own files; those of other sessions do not count", async () => {
  const [own, ...workers] = [5, 6, 7, 8].map((digit) => `01a1ee8${digit}-152e-7702-9484-5570d6d94f5a`) as [
    string,
    ...string[],
  ]
  const folder = temporaryFolder()
  const whole = readFileSync(join(import.meta.dirname, "samples/patched", ROLLOUT), "utf8").split("\n")
  const write = (thread: string, parent: string | undefined, lines: readonly string[]) => {
    const task = parent === undefined ? "" : `"parent_thread_id":"${parent}",`
    const text = lines
      .join("\n")
      .replace('"payload":{', `"payload":{${task}`)
      .replaceAll("01a1ee81-152e-7702-9484-5570d6d94f5a", thread)
    const path = join(folder, `rollout-2026-11-18T11-53-19-${thread}.jsonl`)
    writeFileSync(path, text.replaceAll("call_", `${thread.slice(0, 8)}_`))
    return path
  }
  const path = write(own, undefined, whole.slice(0, 8))
  const [first = "", second = "", other = ""] = workers
  write(first, own, whole)
  write(second, first, whole)
  write(other, "01a1ee89-152e-7702-9484-5570d6d94f5a", whole)
  const told = saidCalls(await readSession(codex, path), NONE, (file) => file)
  expect(new Set(told.map(({ call }) => call.slice(0, 8)))).toEqual(new Set(["01a1ee86", "01a1ee87"]))
  expect(told).toHaveLength(16)
})
