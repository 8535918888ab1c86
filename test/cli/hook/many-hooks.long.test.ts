// A day of an agent: hundreds of calls of the hook, some at the same time, and nothing is left of them but what they recorded.
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isSoak } from "../../seed.ts"
import { ClaudeAtWork } from "./claude-at-work.ts"

/** 1,000 hooks take two minutes: that is for `npm run soak`. */
const ROUNDS = isSoak ? 50 : 4
/** Of each round, at the same time. */
const CALLS = 9
/** One before and one after each call, one at either end of the round. */
const HOOKS = ROUNDS * (2 * CALLS + 2)

test(`${HOOKS} hooks leave no process, no lock and no temporary file, and every call is recorded`, async () => {
  const claude = new ClaudeAtWork()
  for (let round = 1; round <= ROUNDS; round++) {
    const calls = Array.from({ length: CALLS }, (_, n) => {
      const path = `file-${n}.txt`
      const input = { file_path: join(claude.cwd, path), content: "" }
      return { name: "Write", input, does: () => claude.put(path, `${round}\n`) }
    })
    await claude.round(`round ${round}`, calls, true)
  }
  expect(claude.problems()).toBe("")
  const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
  expect(processes.split("\n").filter((line) => line.includes(claude.home))).toEqual([])
  const beside = readdirSync(join(claude.home, "foreign/claude-code"))
  expect(beside.filter((name) => !name.endsWith(".jsonl") && !name.endsWith(".index"))).toEqual([])
  await claude.done(`restore @${ROUNDS / 2} -s ${claude.name}`)
  expect(claude.get("file-0.txt")).toBe(`${ROUNDS / 2 - 1}\n`)
  expect(claude.get(`file-${CALLS - 1}.txt`)).toBe(`${ROUNDS / 2 - 1}\n`)
}, 900_000)
