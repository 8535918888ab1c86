// Searches every session on this machine for a text, best first.
import type { Json } from "../../model/json.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { bestFound, MOST_COUNTED } from "./best-found.ts"
import { type FindOptions, warnSkipped } from "./find-each.ts"
import { searchApart } from "./search-apart.ts"

export interface SearchAll {
  text: string
  cwd?: string
  limit: number
}

export async function searchAll(
  deps: AppDeps,
  { text, limit, ...where }: SearchAll,
  signal: AbortSignal,
): Promise<Json[]> {
  const most = Math.max(limit, MOST_COUNTED)
  const options: FindOptions = { text, cases: "smart", most, once: true, skipped: warnSkipped(deps) }
  const found = searchApart(deps, where, options, signal)
  const { best } = await bestFound(found, { most: limit, now: deps.now() })
  const hits = best.flatMap(({ session, hits: each }) =>
    each.map((hit) => ({ session: session.id, agent: session.agent ?? "retcon", title: session.title, ...hit })),
  )
  return hits.slice(0, limit)
}
