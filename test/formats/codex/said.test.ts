// What Codex's session file says of what its patches changed: on a line before that of the result, with the same id.
import { join } from "node:path"
import { expect, test } from "vitest"
import { saidCalls } from "../../../src/foreign/log/said-calls.ts"
import { codex } from "../../../src/formats/codex/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { readSession } from "../read-session.ts"

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
