// A restore that was cut off and finished later, as a person is told of it.
import { type SessionId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Recovered } from "../../workspace/port.ts"

/** One sentence, and one for each file that stays. None when there was nothing to finish. */
export function recoveredWords(recovered: Recovered, me: SessionId): string[] {
  if (recovered.outcome === "nothing") return []
  const { outcome, session, files, left } = recovered
  const whose = session === "" || session === me ? "" : ` of session ${shortId(session)}`
  // How far it had come is not known: only a completed one can be counted.
  const how =
    outcome === "completed"
      ? `was completed (${count(files.length - left.length, "file")})`
      : "was taken back: the files are as they were before it"
  return [
    `A restore${whose} that was interrupted ${how}.`,
    ...left.map((path) => `${sanitiseLine(path)} was changed meanwhile and stays as it is.`),
  ]
}
