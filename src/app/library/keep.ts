// Copies other agents' sessions, because those agents remove them, and gives one back.
import { forgetSize, keptSize } from "../../foreign/keep/kept-size.ts"
import type { RestoredSession } from "../../foreign/keep/restore-kept.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type SessionId, shortId } from "../../model/id.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import type { Job, KeepAnswer, RestoredAnswer } from "../../protocol/library.ts"
import type { AppDeps } from "../port/app-deps.ts"

export async function keep(
  { store, home, settings }: AppDeps,
  { dryRun = false }: { dryRun?: boolean },
  { tick }: Job = {},
): Promise<KeepAnswer> {
  const { busy, databases, ...kept } = await store.foreign.keep({ ...(tick && { tick }), ...(dryRun && { dryRun }) })
  if (busy !== undefined) {
    const problem = `Process ${busy.pid} is copying sessions right now.`
    throw new RetconError({ code: "invalid", problem, advice: "Wait until it is done, then try again." })
  }
  if (kept.files.length > 0 && !dryRun) forgetSize(home)
  const [bytes, budget] = [keptSize(home), settings["keep.budget"]]
  const overBudget = budget !== "none" && bytes > Number.parseInt(budget, 10) * 1000 ** 3
  return { dryRun, ...kept, databases: Object.fromEntries(databases), bytes, overBudget }
}

export async function restoreKept({ store }: AppDeps, { session }: { session: SessionId }): Promise<RestoredAnswer> {
  const restored = await store.foreign.restore(session)
  if (restored.outcome === "refused") throw refusal(shortId(session), restored)
  const { resume } = restored
  if (restored.outcome === "take-in") return { session, files: [], import: restored.command, resume }
  return { session, files: restored.files, resume }
}

function refusal(id: string, { file, because }: RestoredSession & { outcome: "refused" }): RetconError {
  if (because === "unreadable") {
    const unread = `Session ${id} is in its agent's folder, but you have no permission to read it: ${sanitiseLine(file)}. Nothing was written.`
    const advice = `Allow reading it: chmod u+r ${shellWord(file)}. Until then, retcon shows its own copy.`
    return new RetconError({ code: "invalid", problem: unread, advice })
  }
  if (because === "in-database") {
    const there = `Session ${id} is still in its agent's database: ${sanitiseLine(file)}. Nothing was written.`
    const copies = "Copies of messages that the session has lost since are sessions of their own: see "
    const advice: Advice = [copies, { do: "sessions" }, ", and restore one of those."]
    return new RetconError({ code: "invalid", problem: there, advice })
  }
  const problem = `Session ${id} is already in its agent's folder: ${sanitiseLine(file)}. Nothing was written.`
  return new RetconError({
    code: "invalid",
    problem,
    advice: "To replace it with the copy, move that file away first.",
  })
}
