// The sessions that fit a filter, ours and those of other agents.
import type { AnyStore } from "../../foreign/any-store.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionFilter } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { FindOptions } from "../search/find-each.ts"

/** Newest first. */
export async function wantedSessions(
  store: AnyStore,
  { cwd, agent, since, path }: SessionFilter,
  told: Pick<FindOptions, "tick" | "skipped"> = {},
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
  const { findEach } = await import("../search/find-each.ts")
  const naming: SessionSummary[] = []
  for await (const { session } of findEach(store, wanted, { text: path, cases: "same", most: 1, ...told }))
    naming.push(session)
  return naming
}

/** For `skipped`: tells the person. */
export function warnSkipped({ warn }: Pick<AppDeps, "warn">): NonNullable<FindOptions["skipped"]> {
  return ({ file, id }, problem) => warn(`${sanitiseLine(file ?? id)} could not be searched: ${problem}`)
}
