// The first line of a pi session.
import type { JsonObject } from "../../model/json.ts"
import { numberField, textField } from "../shared/json-line.ts"

export interface PiHeader {
  name: string
  at: string
  cwd: string
  /** In version 1 entries have no ids, and each continues the one before it. */
  version: number
  /** The file of the session that this one was forked from. */
  forkedFrom: string | undefined
}

/** Undefined if the line is not a header. */
export function piHeader(line: JsonObject): PiHeader | undefined {
  const [name, at, cwd] = [textField(line, "id"), textField(line, "timestamp"), textField(line, "cwd")]
  if (line.type !== "session" || name === undefined || at === undefined || cwd === undefined) return undefined
  return { name, at, cwd, version: numberField(line, "version") ?? 1, forkedFrom: textField(line, "parentSession") }
}

/** The name of a session by its file: `<time>_<uuid>.jsonl`. */
export function nameInFile(path: string): string {
  return (/_([0-9a-f-]{36})\.jsonl$/.exec(path)?.[1] ?? path).toLowerCase()
}

/** Its name if pi would find it that way, otherwise its file. */
export function resumePi(path: string, name: string): string[] {
  return ["pi", "--session", /\/sessions\/--[^/]*--\/[^/]*$/.test(path) ? name : path]
}
