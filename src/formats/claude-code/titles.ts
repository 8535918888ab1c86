// Which line names a session: what a person called it counts more than what the program made up.
import type { JsonObject } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

export interface Title {
  text: string
  /** The greater one counts. */
  rank: number
}

/** Undefined when the line is none. */
export function titleIn(line: JsonObject): Title | undefined {
  const rank = FIELDS.findIndex(([type]) => type === line.type)
  const text = rank === -1 ? undefined : textField(line, FIELDS[rank]?.[1] ?? "")
  return text === undefined || text === "" ? undefined : { text, rank }
}

/** By type, the field that holds the name; the last one counts most. */
const FIELDS = [
  ["summary", "summary"],
  ["ai-title", "aiTitle"],
  ["custom-title", "customTitle"],
] as const
