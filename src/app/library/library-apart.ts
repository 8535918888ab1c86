// The Library in processes of its own, one for each call: for a server, which goes on answering others.
import type { SessionId } from "../../model/id.ts"
import type { Job, Library } from "../../protocol/library.ts"
import { LIBRARY, type LibraryName } from "../../protocol/operations.ts"
import { type ApartDeps, workApart } from "../port/apart.ts"

export interface LibraryTask {
  type: "library"
  name: LibraryName
  request: object
  /** Whether somebody wants to know how far it is, and what was found. */
  ticks: boolean
  founds: boolean
}

export type LibraryNews = { share: number } | { found: SessionId } | { answer: unknown }

const NEVER = new AbortController().signal

/** Contract: rejects with the signal's reason if it aborts. What has begun to change something is not ended. */
export function libraryApart(deps: ApartDeps): Library {
  const method =
    (name: LibraryName) =>
    async (request: object, { tick, found, signal = NEVER }: Job = {}) => {
      const task: LibraryTask = {
        type: "library",
        name,
        request,
        ticks: tick !== undefined,
        founds: found !== undefined,
      }
      const until = LIBRARY[name].kind === "read" ? signal : NEVER
      for await (const news of workApart<LibraryNews>(deps, task, until)) {
        if ("answer" in news) return news.answer
        if ("found" in news) found?.(news.found)
        else await tick?.(news.share)
      }
      throw until.reason
    }
  return Object.fromEntries(
    Object.keys(LIBRARY).map((name) => [name, method(name as LibraryName)]),
  ) as unknown as Library
}
