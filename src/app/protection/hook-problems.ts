// What went wrong in hooks: nobody sees a hook's output, so `retcon doctor` reports it.
import { appendFileSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import type { Examined } from "../../store/file/doctor/finding.ts"

/** A log that has grown beyond this is set aside, and the one before it is deleted. */
const MOST_BYTES = 256 * 1024

interface HookProblem {
  at: string
  agent: string
  problem: string
}

function hookProblemsFile(home: string): string {
  return join(home, "hooks.log")
}

/** Contract: never throws. Does not create retcon's home. */
export function noteHookProblem(home: string, problem: HookProblem): void {
  const file = hookProblemsFile(home)
  orNothing(() => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(file, `${file}.1`)
    appendFileSync(file, `${JSON.stringify(problem)}\n`, { mode: 0o600 })
  })
}

/** Oldest first. */
function hookProblems(home: string): HookProblem[] {
  const text = orNothing(() => readFileSync(hookProblemsFile(home), "utf8")) ?? ""
  return text.split("\n").flatMap((line) => {
    const json = parseJson(line)
    if (!json.ok || !isObject(json.value)) return []
    const { at, agent, problem } = json.value
    if (typeof at !== "string" || typeof agent !== "string" || typeof problem !== "string") return []
    return [{ at, agent, problem }]
  })
}

/** A log of failures is about the past: older ones are left out. */
const SINCE_MS = 7 * 24 * 3600 * 1000

/** For `doctor`: by agent. */
export function examineHooks(home: string, now: number): Examined[] {
  const since = new Date(now - SINCE_MS).toISOString()
  const recent = hookProblems(home).filter(({ at }) => at >= since)
  return [...new Set(recent.map(({ agent }) => agent))].map((agent) => {
    const own = recent.filter((each) => each.agent === agent)
    const { at: last = "", problem = "" } = own.at(-1) ?? {}
    const finding = { kind: "hooks-failed", agent, times: own.length, last, problem: sanitiseLine(problem) } as const
    return { path: hookProblemsFile(home), lines: 0, findings: [finding] }
  })
}
