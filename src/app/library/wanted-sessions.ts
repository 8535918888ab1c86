// The sessions that fit a filter, ours and those of other agents.
import type { AnyStore } from "../../foreign/any-store.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionFilter } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { MentionsOptions } from "../search/mentions.ts"

/** Newest first. */
export async function wantedSessions(
  store: AnyStore,
  { cwd, agent, since, path }: SessionFilter,
  told: MentionsOptions = {},
): Promise<SessionSummary[]> {
  const where = cwd === undefined ? {} : { cwd }
  const listed = await store.list(agent === "retcon" ? where : { ...where, agents: "all" })
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const wanted = listed.filter(
    (session) =>
      (agent === undefined || (session.agent ?? "retcon") === agent) &&
      (since === undefined || Date.parse(session.updated) >= from),
  )
  if (path === undefined) return wanted
  return (await import("../search/mentions.ts")).mentioning(store, wanted, path, told)
}

/** For `skipped`: tells the person. */
export function warnSkipped({ warn }: Pick<AppDeps, "warn">): NonNullable<MentionsOptions["skipped"]> {
  return ({ file, id }, problem) => warn(`${sanitiseLine(file ?? id)} could not be searched: ${problem}`)
}
