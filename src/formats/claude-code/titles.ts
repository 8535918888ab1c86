// Which line names a session: a person's own title wins over a generated one.
import type { JsonObject } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

export interface Title {
  text: string
  /** The higher rank wins. */
  rank: number
}

/** Undefined if the line is not a title. */
export function titleIn(line: JsonObject): Title | undefined {
  const rank = FIELDS.findIndex(([type]) => type === line.type)
  const text = rank === -1 ? undefined : textField(line, FIELDS[rank]?.[1] ?? "")
  return text === undefined || text === "" ? undefined : { text, rank }
}

/** The field with the title for each type of line, the highest rank last. */
const FIELDS = [
  ["summary", "summary"],
  ["ai-title", "aiTitle"],
  ["custom-title", "customTitle"],
] as const
