// Finds the journals that killed restores left behind, and completes or reverses them.
import { createHash } from "node:crypto"
import fs from "node:fs"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { checkPath, type Recovered, type RecoverRequest } from "../../port.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { type Journal, removeJournal } from "./journal.ts"
import { putBack } from "./put-back.ts"
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

function noteFile(folder: string, session: string): string {
  return `${folder}/recovered-${createHash("sha256").update(session).digest("hex").slice(0, 32)}`
}

/**
 * A note for a session whose interrupted restore another session has finished, shown when that session is opened again.
 */
function leaveNote(folder: string, { outcome, id, session, files, left }: Finished): void {
  const fields = ["retcon recovered 1", outcome, id, session, String(files.length), ...files, ...left, "end"]
  fs.writeFileSync(noteFile(folder, session), fields.join("\0"), { mode: 0o600 })
}

/** Contract: a note is read once. Undefined: there is none, or it cannot be read. */
function takeNote(folder: string, session: string): Finished | undefined {
  const file = noteFile(folder, session)
  let fields: string[]
  try {
    fields = fs.readFileSync(file, "utf8").split("\0")
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined
    throw error
  }
  fs.rmSync(file, { force: true })
  const [kind, outcome, id = "", name = "", count = "", ...paths] = fields.slice(0, -1)
  if (kind !== "retcon recovered 1" || fields.at(-1) !== "end") return undefined
  if (outcome !== "rolled-back" && outcome !== "completed") return undefined
  return { outcome, id, session: name, files: paths.slice(0, Number(count)), left: paths.slice(Number(count)) }
}
