// What a person reads about a restore that was cut off and finished later.
import { type SessionId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionStore } from "../../store/port.ts"
import type { Recovered } from "../../workspace/port.ts"
import type { SessionFiles } from "./session-files.ts"

/** Finishes all that killed restores have left behind, and reports it. */
export async function recoverAll(
  { id, files }: { id: SessionId; files: SessionFiles },
  options?: { store: SessionStore },
): Promise<string[]> {
  const words: string[] = []
  for (;;) {
    const recovered = await files.recover(options)
    if (recovered.outcome === "nothing") return words
    words.push(...recoveredWords(recovered, id))
  }
}

/** One sentence, and one for each file that stays. None when there was nothing to finish. */
export function recoveredWords(recovered: Recovered, me: SessionId): string[] {
  if (recovered.outcome === "nothing") return []
  const { outcome, session, folder, files, left } = recovered
  const where = folder === undefined ? "" : ` in ${sanitiseLine(folder)}`
  const whose = session === "" || session === me ? "" : ` of session ${shortId(session)}`
  // How far it had come is not known: only a completed one can be counted.
  const how =
    outcome === "completed"
      ? `was completed (${count(files.length - left.length, "file")})`
      : "was taken back: the files are as they were before it"
  return [
    `An interrupted restore${whose}${where} ${how}.`,
    ...left.map(
      (path) =>
        `${sanitiseLine(folder === undefined ? path : `${folder}/${path}`)} has changed since and stays as it is.`,
    ),
  ]
}
