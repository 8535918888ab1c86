// The title of a Gemini CLI session.
import type { JsonObject } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

/** The title that a line gives the session. */
export function titleIn(fields: JsonObject | undefined): string | undefined {
  const summary = textField(fields, "summary")
  return summary === undefined || summary.trim() === "" ? undefined : summary
}
