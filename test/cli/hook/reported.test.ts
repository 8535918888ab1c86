// What went wrong in hooks is noted, and `retcon doctor` reports it.
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { examineHooks, noteHookProblem } from "../../../src/app/protection/hook-problems.ts"
import { temporaryFolder } from "../../formats/read-session.ts"

const NOW = Date.parse("2026-11-10T12:00:00.000Z")
const note = (agent: string, at: string, problem: string) => ({ agent, at, problem })

test("what went wrong in hooks of the last week is reported, by agent, with the last problem", () => {
  const home = temporaryFolder()
  noteHookProblem(home, note("codex", "2026-11-03T11:59:59.999Z", "too old"))
  noteHookProblem(home, note("codex", "2026-11-03T12:00:00.000Z", "first"))
  noteHookProblem(home, note("claude-code", "2026-11-09T12:00:00.000Z", "other"))
  noteHookProblem(home, note("codex", "2026-11-09T12:00:00.000Z", "la\nst"))
  const file = join(home, "hooks.log")
  appendFileSync(file, 'null\n{"at":1}\n{"at":"2026-11-09","agent":2}\n{"at":"2026-11-09","agent":"codex"}\ntorn')
  const found = examineHooks(home, NOW).flatMap(({ findings }) => findings)
  expect(found).toEqual([
    { kind: "hooks-failed", agent: "codex", times: 2, last: "2026-11-09T12:00:00.000Z", problem: "la st" },
    { kind: "hooks-failed", agent: "claude-code", times: 1, last: "2026-11-09T12:00:00.000Z", problem: "other" },
  ])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test("a log of hooks that has grown too large is put aside", () => {
  const home = temporaryFolder()
  const file = join(home, "hooks.log")
  writeFileSync(file, "")
  truncateSync(file, 256 * 1024)
  noteHookProblem(home, note("codex", "", "one"))
  expect(existsSync(`${file}.1`)).toBe(false)
  noteHookProblem(home, note("codex", "", "two"))
  expect([existsSync(`${file}.1`), readFileSync(file, "utf8")]).toEqual([
    true,
    expect.stringMatching(/^\{.*"two"\}\n$/),
  ])
  noteHookProblem(join(home, "nowhere"), note("codex", "", "three"))
  expect(existsSync(join(home, "nowhere"))).toBe(false)
  expect(examineHooks(join(home, "nowhere"), NOW)).toEqual([])
})
