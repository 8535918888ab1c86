// Values that depend on what exists: sessions, entries. A session that cannot be opened has none.
import { goneFolders } from "../../app/library/find-moved.ts"
import { isEmpty } from "../../app/library/session-kinds.ts"
import { prompts } from "../../history/tree/path.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { count } from "../../model/text/amounts.ts"
import { trashed } from "../../store/file/folder/trash.ts"
import type { Cli } from "../port/cli.ts"
import { withChosen } from "../sessions/select.ts"
import { latestHere } from "../sessions/which-session.ts"

const MOST = 100

export interface Candidate {
  value: string
  about: string
}

export async function sessionCandidates(cli: Cli): Promise<Candidate[]> {
  const here = await cli.store.list({ cwd: cli.cwd })
  return here
    .filter((session) => !isEmpty(session))
    .slice(0, MOST)
    .map((session) => ({ value: shortId(session.id), about: session.title }))
}

export function trashCandidates(cli: Cli): Candidate[] {
  return trashed(cli.home).map(({ id }) => ({ value: shortId(id), about: "in the trash" }))
}

/** Folders that may have been moved. */
export async function goneCandidates(cli: Cli): Promise<Candidate[]> {
  return (await goneFolders(cli)).map(([value, sessions]) => ({ value, about: count(sessions.length, "session") }))
}

/** Labels, the last prompts of the path, and head. */
export async function entryCandidates(cli: Cli, session: string | undefined): Promise<Candidate[]> {
  try {
    const name = session ?? (await latestHere(cli))?.id
    if (name === undefined) return []
    return await withChosen(cli, { session: name }, async (open) => {
      const { history, headRow } = open
      const about = (row: number) => {
        const record = history.record(row)
        return record === undefined ? "" : (entryText(record) ?? record.type)
      }
      const named = [...open.labels()].map(([entry, value]) => ({ value, about: about(history.rowOf(entry)) }))
      const rows = prompts(history, headRow)
      const asked = rows.map((row, index) => ({ value: `@${index + 1}`, row })).slice(-MOST)
      return [
        ...named,
        ...asked.reverse().map(({ value, row }) => ({ value, about: about(row) })),
        { value: "head", about: "the current position" },
      ]
    })
  } catch (error) {
    if (error instanceof RetconError) return []
    throw error
  }
}
