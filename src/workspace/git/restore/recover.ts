// Finds the journals that killed restores left behind, and completes or reverses them.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { checkPath } from "../../file-path.ts"
import type { Recovered, RecoverRequest } from "../../port.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { type Journal, removeJournal } from "./journal.ts"
import { putBack } from "./put-back.ts"
import { leaveNote, takeNote } from "./recovered-note.ts"
import { isAsThen, workFrom } from "./restore.ts"
import { restoresAround, type Site } from "./restores-around.ts"
import { syncFolders } from "./staged.ts"
import { tidy } from "./tidy.ts"

/** One at a time: the next call returns the next one, or what another session has finished for us. */
export async function recoverRestore(workspace: OpenWorkspace, { recorded, by }: RecoverRequest): Promise<Recovered> {
  const me = by ?? workspace.session
  const [open] = restoresAround(workspace)
  if (open === undefined) return takeNote(workspace.folder, me) ?? { outcome: "nothing" }
  const { journal, ongoing } = open
  if (journal === "torn") {
    await open.at(async ({ disk, folder }) => removeJournal(disk, folder))
    return { outcome: "rolled-back", id: "", session: "", files: [], left: [] }
  }
  if (ongoing) throw new RetconError({ code: "session-busy", session: workspace.session, pid: journal.holder.pid })
  for (const { path, folder } of journal.actions) {
    checkPath(path)
    if (folder !== "") checkPath(folder)
  }
  const done = (await recorded?.({ id: journal.id, session: journal.session })) === true
  return open.at(async (site) => {
    const recovered = await finish(site, journal, done)
    if (journal.session !== me) leaveNote(site.folder, recovered)
    removeJournal(site.disk, site.folder)
    return site.root === workspace.root ? recovered : { ...recovered, folder: site.root }
  })
}

type Finished = Exclude<Recovered, { outcome: "nothing" }>

async function finish(site: Site, journal: Journal, done: boolean): Promise<Finished> {
  const { id, session, actions } = journal
  const files = actions.map(({ path }) => path)
  const work = workFrom(site, journal)
  try {
    const left = done ? files.filter((path, i) => !isAsThen(work.folders, path, actions[i]?.to)) : putBack(work)
    const saved = tidy(work)
    await syncFolders(work)
    const outcome = done ? "completed" : "rolled-back"
    return { outcome, id, session, files, left: [...new Set([...left, ...saved])] }
  } finally {
    work.folders.close()
  }
}
