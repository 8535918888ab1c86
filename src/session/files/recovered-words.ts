// What to tell a person about a restore that was interrupted and finished later.
import { type SessionId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionStore } from "../../store/port.ts"
import type { Recovered } from "../../workspace/port.ts"
import type { SessionFiles } from "./session-files.ts"

/** Finishes what killed restores left undone, and reports it. */
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

/** One sentence, and one for each file that was left alone. None if there was nothing to finish. */
export function recoveredWords(recovered: Recovered, me: SessionId): string[] {
  if (recovered.outcome === "nothing") return []
  const { outcome, session, folder, files, left } = recovered
  const where = folder === undefined ? "" : ` in ${sanitiseLine(folder)}`
  const whose = session === "" || session === me ? "" : ` of session ${shortId(session)}`
  // The files of an unfinished one cannot be counted, because nobody knows how far it got.
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
