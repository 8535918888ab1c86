// The folders of Klaude Code: `projects/<path>/sessions/<id>/events.jsonl`, and `meta.json` beside it.
import { basename, dirname, join } from "node:path"
import type { SessionId } from "../../model/id.ts"
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { sessionIdOf } from "../ids.ts"
import type { SessionPlace } from "../port.ts"
import { textField } from "../shared/json-line.ts"

export const EVENTS = "events.jsonl"

export function nameOf({ main }: SessionPlace): string {
  return basename(dirname(main))
}

export function placeIn(folder: string): SessionPlace {
  return { path: folder, main: join(folder, EVENTS) }
}

export function metaFile({ main }: SessionPlace): string {
  return join(dirname(main), "meta.json")
}

const HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** Its names are UUIDs without the dashes. */
export function idOf(name: string): SessionId {
  return sessionIdOf("klaude-code", HEX.test(name) ? name.replace(HEX, "$1-$2-$3-$4-$5") : name)
}

export interface KlaudeMeta {
  cwd: string | undefined
  title: string | undefined
  /** The session whose task this one works on. */
  parent: string | undefined
  created: JsonObject[string] | undefined
}

/** What the file says about a session, without the fields it lacks. */
export function readMeta(bytes: Buffer | undefined): KlaudeMeta {
  const parsed = bytes === undefined ? undefined : parseJson(bytes.toString("utf8"))
  const meta = parsed?.ok === true && isObject(parsed.value) ? parsed.value : {}
  const title = textField(meta, "title")
  const created = meta.created_at
  return {
    cwd: textField(meta, "work_dir"),
    title: title === "" ? undefined : title,
    parent: textField(meta, "parent_session_id"),
    created: typeof created === "number" ? created * 1000 : created,
  }
}
