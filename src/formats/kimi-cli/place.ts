// The folders of Kimi CLI: `sessions/<md5 of the folder>/<session>/context.jsonl`, sub-agents in `subagents/<id>` below it.
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import type { SessionId } from "../../model/id.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { madeSessionId, sessionIdOf } from "../ids.ts"
import type { SessionPlace } from "../port.ts"
import { listField, textField } from "../shared/json-line.ts"

export const CONTEXT = "context.jsonl"
export const WIRE = "wire.jsonl"

export interface KimiCliPlace {
  /** Where the context and the wire log are. */
  folder: string
  session: string
  /** For a sub-agent: its id. */
  agent: string | undefined
  /** The folder with the work directory's sessions, and the one with all sessions. */
  group: string
  root: string
}

export function partsOfPlace({ main }: SessionPlace): KimiCliPlace {
  const folder = dirname(main)
  const isAgent = basename(dirname(folder)) === "subagents"
  const session = isAgent ? dirname(dirname(folder)) : folder
  const group = dirname(session)
  const agent = isAgent ? basename(folder) : undefined
  return { folder, session: basename(session), agent, group: basename(group), root: dirname(dirname(group)) }
}

export function nameOf({ session, agent }: Pick<KimiCliPlace, "session" | "agent">): string {
  return agent === undefined ? session : `${session}/${agent}`
}

export function idOf(place: Pick<KimiCliPlace, "session" | "agent">): SessionId {
  return place.agent === undefined ? sessionIdOf("kimi-cli", place.session) : madeSessionId("kimi-cli", nameOf(place))
}

export function placeIn(folder: string): SessionPlace {
  return { path: folder, main: join(folder, CONTEXT) }
}

/** The work directory, from Kimi CLI's own list of them. */
export function workDirectory(list: Buffer | undefined, group: string): string | undefined {
  const parsed = list === undefined ? undefined : parseJson(list.toString("utf8"))
  if (parsed?.ok !== true || !isObject(parsed.value)) return undefined
  const paths = listField(parsed.value, "work_dirs").flatMap((each) => textField(each, "path") ?? [])
  return paths.find((path) => group.endsWith(createHash("md5").update(path).digest("hex")))
}

export function titleIn(state: Buffer | undefined): string | undefined {
  const parsed = state === undefined ? undefined : parseJson(state.toString("utf8"))
  const title = parsed?.ok === true ? textField(parsed.value, "custom_title") : undefined
  return title === "" ? undefined : title
}
