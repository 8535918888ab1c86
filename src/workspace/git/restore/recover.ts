// Finds the journal that a killed restore left behind, and finishes it one way or the other.

import { RetconError } from "../../../model/failure/failure.ts"
import { checkPath } from "../../path.ts"
import type { Recovered, RecoverRequest } from "../../port.ts"
import type { Session } from "../walk/open-workspace.ts"
import { isAlive, type Journal, readJournal, removeJournal } from "./journal.ts"
import { putBack } from "./put-back.ts"
import { leaveWord, takeWord } from "./recovered-word.ts"
import { isAsThen, workFrom } from "./restore.ts"
import { syncFolders, tidy } from "./staged.ts"

export async function recoverRestore(session: Session, { recorded, by }: RecoverRequest): Promise<Recovered> {
  const journal = readJournal(session.folder)
  if (journal === undefined) return takeWord(session.folder, by ?? session.name) ?? { outcome: "nothing" }
  if (journal === "torn") {
    removeJournal(session.disk, session.folder)
    return { outcome: "rolled-back", id: "", session: "", files: [], left: [] }
  }
  if (isAlive(journal)) {
    throw new RetconError({ code: "session-busy", session: session.name, pid: journal.pid })
  }
  for (const { path, folder } of journal.actions) {
    checkPath(path)
    if (folder !== "") checkPath(folder)
  }
  const done = (await recorded?.({ id: journal.id, session: journal.session })) === true
  const recovered = await finish(session, journal, done)
  if (journal.session !== (by ?? session.name)) leaveWord(session.folder, recovered)
  removeJournal(session.disk, session.folder)
  return recovered
}

type Finished = Exclude<Recovered, { outcome: "nothing" }>

async function finish(session: Session, journal: Journal, done: boolean): Promise<Finished> {
  const { id, session: name, actions } = journal
  const files = actions.map(({ path }) => path)
  const work = workFrom(session, journal)
  try {
    const left = done ? files.filter((path, i) => !isAsThen(work.folders, path, actions[i]?.to)) : putBack(work)
    await tidy(work)
    await syncFolders(work)
    return { outcome: done ? "completed" : "rolled-back", id, session: name, files, left }
  } finally {
    work.folders.close()
  }
}
