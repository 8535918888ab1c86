// Searches every session on this machine for a text, best first.
import type { Json } from "../../model/json.ts"
import type { Cli } from "../port/cli.ts"
import { findAll, patternsFor, ranked } from "../search/find-all.ts"

export interface SearchAll {
  text: string
  cwd?: string
  limit: number
}

export async function searchAll(cli: Cli, { text, limit, ...where }: SearchAll): Promise<Json[]> {
  const sessions = await cli.store.list({ agents: "all", ...where })
  const tick = () => new Promise<void>((settle) => setImmediate(settle))
  const found = ranked(await findAll(cli, sessions, patternsFor(text), tick), cli.now())
  const hits = found.flatMap(({ session, hits: each }) =>
    each.map((hit) => ({ session: session.id, agent: session.agent ?? "retcon", title: session.title, ...hit })),
  )
  return hits.slice(0, limit)
}
