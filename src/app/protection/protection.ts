// What is no longer safe, or not for long: restores that were cut off, hooks that do not run, places that may not be read, sessions
// that their agent will remove.
// `doctor` says it first, `ls` last, `log` and `ops` of restores, and for hooks every command that a person calls.
import type { CleanUp } from "../../foreign/keep/clean-ups.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import { unreadableWords } from "../../model/text/unreadable-words.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import type { Examined } from "../../store/file/doctor/finding.ts"
import { type CutOff, cutOffRestores } from "../../workspace/git/restore/restores-around.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { brokenHookLines } from "./broken-lines.ts"
import { unreadablePlaces } from "./unreadable.ts"

/** One line each. `all`: of all folders. Contract: sessions were listed before: what that could not read is known. */
export async function protectionLines(deps: AppDeps, all: boolean): Promise<string[]> {
  return [
    ...cutOffLines(deps, all ? undefined : deps.cwd),
    ...(await brokenHookLines(deps)),
    ...(await safetyLines(deps)),
  ]
}

/** Of restores around a folder, or in all: those that were cut off. */
export function cutOffLines(deps: AppDeps, around: string | undefined): string[] {
  return (orNothing(() => cutOffRestores(deps.home, deps.now(), around)) ?? []).map(
    (each) => `A restore of files in ${sanitiseLine(each.root)} was interrupted. ${finish(deps, each)}`,
  )
}

/** The same without hooks and restores. */
export async function safetyLines(deps: AppDeps): Promise<string[]> {
  return [...unreadableWords(unreadablePlaces(deps)), ...(await dueSoon(deps)).map(cleanUpLine)]
}

/** The same as findings. */
export async function examineProtection(deps: AppDeps, all: boolean): Promise<Examined[]> {
  const { brokenHooks, repair, whyBroken } = await import("./hook-status.ts")
  await deps.store.foreign.list()
  const hooks = brokenHooks(deps).map((status): Examined => {
    const { agent, file } = status
    const finding = { kind: "not-protected", agent, problem: whyBroken(status), advice: repair(status) } as const
    return { path: file, lines: 0, findings: [finding] }
  })
  const places = deps.store.foreign.unreadable().map(({ agent, path }): Examined => {
    return { path, lines: 0, findings: [{ kind: "forbidden", agent }] }
  })
  const cleanUps = (await dueSoon(deps)).map(({ folder, ...cleanUp }): Examined => {
    return { path: folder, lines: 0, findings: [{ kind: "clean-up", ...cleanUp }] }
  })
  const cutOff = cutOffRestores(deps.home, deps.now(), all ? undefined : deps.cwd).map((each): Examined => {
    const { root, journal } = each
    return { path: journal, lines: 0, findings: [{ kind: "restore-cut-off", root, finish: finish(deps, each) }] }
  })
  return [...cutOff, ...hooks, ...places, ...cleanUps]
}

/** Whatever looks at the files of a session there finishes it. */
function finish({ cwd }: AppDeps, { root, problem }: CutOff): string {
  if (problem !== undefined) return problem
  return `Finish it or take it back with: ${root === cwd ? "" : `cd ${sanitiseLine(shellWord(root))} && `}retcon diff`
}

/** Only what has no copy here: nothing else is lost. */
async function dueSoon(deps: AppDeps): Promise<CleanUp[]> {
  return (await deps.store.foreign.cleanUps(deps.cwd)).filter(({ notKept }) => notKept > 0)
}

function cleanUpLine({ agent, files, ahead, notKept }: CleanUp): string {
  const them = notKept === 1 ? "it" : "them"
  return `${agentTitle(agent)} will remove ${count(files, "file")} within ${count(ahead, "day")}, ${notKept} of them not copied here. Copy ${them} with: retcon keep`
}
