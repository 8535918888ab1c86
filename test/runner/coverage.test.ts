import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Effects } from "../../src/agent/port/tool.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { type EntryId, parseEntryId } from "../../src/model/id.ts"
import type { Background } from "../../src/runner/port/background.ts"
import { type Coverage, type CoverageDeps, makeCoverage } from "../../src/runner/port/coverage.ts"
import type { SessionFiles } from "../../src/session/files/session-files.ts"

const ID = parseEntryId("01890000-0000-7000-8000-000000000001") as EntryId
const NO_BACKGROUND: Background = {
  own: (_call, _beside, run) => run(),
  keep: () => undefined,
  mark: async () => undefined,
  settled: async () => undefined,
}

/** Coverage over files that do only what a test needs of them. */
function coverageOf(files: object, more: Partial<CoverageDeps> = {}): Coverage {
  return makeCoverage({
    files: files as unknown as SessionFiles,
    root: "/project",
    jobs: () => [],
    background: NO_BACKGROUND,
    problem: (text) => expect.fail(text),
    notCovered: () => undefined,
    told: new Set(),
    ...more,
  })
}

test("a snapshot during the answer that fails in an unexpected way is reported, and ends nothing", async () => {
  const told: string[] = []
  const failing = { unavailable: undefined, markRound: () => Promise.reject(new Error("the disk is odd")) }
  const coverage = coverageOf(failing, { problem: (text) => told.push(text) })
  coverage.begin(ID)
  await coverage.end(ID)
  expect(told).toEqual([
    "The files could not be saved, so nothing that may change them will run until they can be: the disk is odd",
  ])
})

test("an edit through a link is one of the file that the link names", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "retcon-coverage-")))
  writeFileSync(join(root, "AGENTS.md"), "old\n")
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"))
  const opened: unknown[] = []
  const files = {
    unavailable: undefined,
    notCovered: () => [],
    lost: () => [],
    markRound: async () => undefined,
    openSpan: async (span: { paths?: string[] }) => {
      opened.push(span.paths)
      return undefined
    },
  }
  const coverage = coverageOf(files, { root })
  coverage.begin(ID)
  const effects = {
    effect: "writes" as const,
    anywhere: false,
    paths: [join(root, "CLAUDE.md"), join(root, "new/x.md")],
  }
  await coverage.before(ID, { call: "1", effects } as unknown as Parameters<typeof coverage.before>[1])
  expect(opened).toEqual([["CLAUDE.md", "AGENTS.md", "new/x.md"]])
  rmSync(root, { recursive: true })
})

test.each([
  ["the files are saved before and after a round", undefined, ["before", "after"]],
  ["a sub-agent saves none: what it does is part of its caller's round", { entry: ID, call: "task" }, []],
])("%s", async (_, owner, saved) => {
  const marks: string[] = []
  const files = {
    unavailable: undefined,
    notCovered: () => [],
    lost: () => [],
    workspace: undefined,
    markRound: async (_prompt: unknown, when: string) => void marks.push(when),
  }
  const coverage = coverageOf(files, owner === undefined ? {} : { owner })
  coverage.begin(ID)
  await coverage.end(ID)
  expect(marks).toEqual(saved)
})

test("a folder that turns out to have too many files while a call waits: the call is made, uncovered, with a notice", async () => {
  const told: string[] = []
  let counted = () => {}
  const failure = { code: "too-many-files", folder: "/project", files: 110_000, limit: 100_000 } as const
  const files = {
    unavailable: undefined,
    notCovered: () => [],
    lost: () => [],
    markRound: () =>
      new Promise((_, reject) => {
        counted = () => reject(new RetconError(failure))
      }),
  }
  const coverage = coverageOf(files, { problem: (text) => told.push(text) })
  coverage.begin(ID)
  const effects: Effects = { effect: "runs", paths: [], anywhere: true }
  const before = coverage.before(ID, { call: "c", name: "Bash", input: {}, effects })
  counted()
  expect(await before).toBe(undefined)
  expect(told).toEqual([expect.stringContaining("Files are not covered: /project has more than 100000 files")])
})

test("that files are not covered is reported once per session, not in each round", async () => {
  const told: string[] = []
  const failure = { code: "too-many-files", folder: "/project", files: 110_000, limit: 100_000 } as const
  const files = { unavailable: undefined, markRound: () => Promise.reject(new RetconError(failure)) }
  const shared = { problem: (text: string) => told.push(text), told: new Set<string>() }
  for (let round = 0; round < 2; round++) {
    const coverage = coverageOf(files, shared)
    coverage.begin(ID)
    await coverage.before(ID, {
      call: "c",
      name: "Bash",
      input: {},
      effects: { effect: "runs", paths: [], anywhere: true },
    })
  }
  expect(told).toEqual([expect.stringContaining("Files are not covered: /project has more than 100000 files")])
})
