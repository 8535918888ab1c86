import { expect, test } from "vitest"
import { parseEntryId } from "../../src/model/id.ts"
import { makeCoverage } from "../../src/runner/coverage.ts"
import type { SessionFiles } from "../../src/session/files/session-files.ts"

test("a snapshot beside the answer that fails in an unexpected way is told, and ends nothing", async () => {
  const told: string[] = []
  const failing = { unavailable: undefined, markRound: () => Promise.reject(new Error("the disk is odd")) }
  const prompt = parseEntryId("01890000-0000-7000-8000-000000000001")
  if (prompt === undefined) throw new Error("not an id")
  const coverage = makeCoverage({
    files: failing as unknown as SessionFiles,
    root: "/project",
    jobs: () => [],
    background: { keep: () => undefined, mark: async () => undefined, settled: async () => undefined },
    problem: (text) => told.push(text),
    notCovered: () => undefined,
    told: new Set(),
  })
  coverage.begin(prompt)
  await coverage.end(prompt)
  expect(told).toEqual(["Files are not covered in this turn: the disk is odd"])
})
