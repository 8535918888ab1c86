// Unfinished restores in this folder, above it or below it: they work on the same files.
import fs from "node:fs"
import nodePath from "node:path"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { openObjects } from "../objects/objects.ts"
import { rootOf, stores, storesFolder } from "../project/store-folder.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { isOngoing, type Journal, journalFile, readJournal } from "./journal.ts"

/** Where a restore works: a workspace and its store. */
export type Site = Pick<OpenWorkspace, "root" | "folder" | "disk" | "objects" | "clock">

export type OpenRestore = {
  journal: Journal | "torn"
  /** Its process still works on it. */
  ongoing: boolean
  /** Its store is open only while `work` runs. */
  at<Answer>(work: (site: Site) => Promise<Answer>): Promise<Answer>
}

/** Contract: that of this folder comes first. Costs one look per store in retcon's home. */
export function restoresAround(workspace: OpenWorkspace): OpenRestore[] {
  const found: OpenRestore[] = []
  const add = (folder: string, at: OpenRestore["at"]) => {
    const open = restoreIn(folder, workspace.clock())
    if (open !== undefined) found.push({ ...open, at })
  }
  add(workspace.folder, (work) => work(workspace))
  for (const id of stores(workspace.ownHome)) {
    const folder = nodePath.join(storesFolder(workspace.ownHome), id)
    if (folder === workspace.folder || !fs.existsSync(journalFile(folder))) continue
    const root = rootOf(workspace.ownHome, id)
    if (root !== undefined && isAround(workspace.root, root)) add(folder, inStore(workspace, root, folder))
  }
  return found
}

/** A restore whose process is gone. `problem`: why this retcon cannot finish it. */
export type CutOff = { root: string; journal: string; problem?: string }

/** Those that the next one to open files there will finish; in all folders, or around one. Contract: changes nothing. */
export function cutOffRestores(home: string, now: number, around?: string): CutOff[] {
  return stores(home).flatMap((id) => {
    const folder = nodePath.join(storesFolder(home), id)
    const journal = journalFile(folder)
    const root = fs.existsSync(journal) ? rootOf(home, id) : undefined
    if (root === undefined || !isAround(around ?? root, root)) return []
    try {
      return restoreIn(folder, now)?.ongoing === false ? [{ root, journal }] : []
    } catch (error) {
      if (!(error instanceof RetconError)) throw error
      return [{ root, journal, problem: error.message }]
    }
  })
}

function restoreIn(folder: string, now: number): Pick<OpenRestore, "journal" | "ongoing"> | undefined {
  for (;;) {
    const journal = readJournal(folder)
    if (journal === undefined) return undefined
    if (journal === "torn") return { journal, ongoing: false }
    if (isOngoing(journal, folder, now)) return { journal, ongoing: true }
    // Its process may have ended it after we read it. What is there now, without its process, was left behind.
    const still = readJournal(folder)
    if (still !== undefined && still !== "torn" && still.id === journal.id) return { journal, ongoing: false }
  }
}

/** The process of another restore around here that is still running; not `mine`. */
export function runningAround(workspace: OpenWorkspace, mine?: string): number | undefined {
  for (const { journal, ongoing } of restoresAround(workspace))
    if (journal !== "torn" && journal.id !== mine && ongoing) return journal.holder.pid
  return undefined
}

function inStore({ disk, clock }: OpenWorkspace, root: string, folder: string): OpenRestore["at"] {
  return async (work) => {
    const objects = openObjects(disk, `${folder}/objects`, clock)
    try {
      return await work({ root, folder, disk, objects, clock })
    } finally {
      objects.close()
    }
  }
}

/** A folder that is gone, or now reached through a link, is a different one: its restore waits until it is back. */
function isAround(ours: string, theirs: string): boolean {
  const below = (folder: string, above: string) => folder.startsWith(above === "/" ? "/" : `${above}/`)
  if (theirs !== ours && !below(ours, theirs) && !below(theirs, ours)) return false
  return fs.statSync(theirs, { throwIfNoEntry: false })?.isDirectory() === true && fs.realpathSync(theirs) === theirs
}
