// Searches every session on this machine for a text, best first.
import type { Json } from "../../model/json.ts"
import type { Cli } from "../port/cli.ts"
import { bestFound, MOST_COUNTED } from "../search/best-found.ts"
import type { FindOptions } from "../search/find-each.ts"
import { searchApart } from "../search/search-apart.ts"
import { tellSkipped } from "../search/tell-skipped.ts"

export interface SearchAll {
  text: string
  cwd?: string
  limit: number
}

export async function searchAll(cli: Cli, { text, limit, ...where }: SearchAll, signal: AbortSignal): Promise<Json[]> {
  const most = Math.max(limit, MOST_COUNTED)
  const options: FindOptions = { text, cases: "smart", most, once: true, skipped: tellSkipped(cli) }
  const found = searchApart(cli, where, options, signal)
  const { best } = await bestFound(found, { most: limit, now: cli.now() })
  const hits = best.flatMap(({ session, hits: each }) =>
    each.map((hit) => ({ session: session.id, agent: session.agent ?? "retcon", title: session.title, ...hit })),
  )
  return hits.slice(0, limit)
}
