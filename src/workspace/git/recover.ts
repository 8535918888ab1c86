// Finds the journal that a killed restore left behind, and finishes it one way or the other.

import { RetconError } from "../../model/failure.ts"
import { checkPath } from "../path.ts"
import type { Recovered } from "../port.ts"
import { isAsExpected, putBack, syncFolders, tidy } from "./apply.ts"
import { isAlive, readJournal, removeJournal } from "./journal.ts"
import { workFrom } from "./restore.ts"
import type { Session } from "./session.ts"

export async function recoverRestore(session: Session, recorded: (id: string) => boolean): Promise<Recovered> {
  const journal = readJournal(session.folder)
  if (journal === undefined) return { outcome: "nothing" }
  if (journal === "torn") {
    removeJournal(session.disk, session.folder)
    return { outcome: "rolled-back", id: "", files: [], left: [] }
  }
  if (isAlive(journal)) {
    throw new RetconError({ code: "session-busy", session: session.name, pid: journal.pid })
  }
  for (const { path, folder } of journal.actions) {
    checkPath(path)
    if (folder !== "") checkPath(folder)
  }
  const work = workFrom(session, journal)
  const files = journal.actions.map(({ path }) => path)
  const done = recorded(journal.id)
  const left = done
    ? files.filter((path, i) => !isAsExpected(session.root, path, journal.actions[i]?.to))
    : putBack(work)
  await tidy(work)
  await syncFolders(work)
  removeJournal(session.disk, session.folder)
  return { outcome: done ? "completed" : "rolled-back", id: journal.id, files, left }
}
