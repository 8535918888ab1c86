// Lists sessions without reading them: a catalogue per directory, checked by size and time; then the index; then the log.
import type { Stats } from "node:fs"
import { sep } from "node:path"
import { isObject } from "../../../model/json.ts"
import type { SessionSummary } from "../../port.ts"
import { idInName, indexFile, LEASE_SUFFIX, leaseFile } from "../disk/layout.ts"
import { attemptRead } from "../disk/problems.ts"
import { isListed, keepCatalogue, type Listed, readCatalogue, type Sessions } from "../index/catalogue.ts"
import { readListed } from "../index/read-listed.ts"
import { fileLease } from "../locks/lease.ts"
import { namesOf, statOf } from "./stat-if-there.ts"

/**
 * The sessions of one folder. Contract: reads no whole log that has an index; a failure to write the catalogue is fine.
 */
export async function listFolder(folder: string, now: () => number): Promise<SessionSummary[]> {
  const there = attemptRead(folder, () => namesOf(folder))
  const names = there.filter((name) => idInName(name) !== undefined)
  const leases = new Set(there.filter((name) => name.endsWith(LEASE_SUFFIX)))
  const kept = readCatalogue(folder)
  const all: Sessions = new Map()
  const found: Sessions = new Map()
  const summaries: SessionSummary[] = []
  for (const name of names) {
    const file = folder + sep + name
    const stat = attemptRead(file, () => statOf(file))
    if (stat === undefined) continue
    const known = kept.get(name)
    const fits = known !== undefined && known.bytes === stat.size && known.mtime === stat.mtimeMs
    const entry = fits ? known : (indexed(file, stat) ?? (await opened(file, stat)))
    if (entry === undefined) continue
    all.set(name, entry)
    if (!fits) found.set(name, entry)
    const summary = summaryOf(entry, file)
    const holder = leases.has(entry.id + LEASE_SUFFIX) ? fileLease(leaseFile(file), now).holder() : undefined
    if (holder !== undefined) summary[holder.pid === process.pid ? "busyHere" : "busy"] = true
    summaries.push(summary)
  }
  // Return the list first, then do what makes the next one quicker.
  if (found.size > 0) setImmediate(keepCatalogue, folder, found, all)
  return summaries
}

/** Field by field: a spread would take longer than everything else. */
function summaryOf(entry: Listed, file: string): SessionSummary {
  const { id, cwd, title, prompts, branches, updated, archived, bytes, from } = entry
  return { id, file, cwd, title, prompts, branches, updated, archived, bytes, from }
}

/** From the index alone, if the log has the length that it says and was not written since. */
function indexed(file: string, stat: Stats): Listed | undefined {
  const header = readListed(indexFile(file))
  if (header === undefined || header.covered !== stat.size || !isObject(header.said.listing)) return undefined
  const { id, cwd, from, modified } = header.said.listing
  if (modified !== stat.mtimeMs) return undefined
  const { title, prompts, branches, updated, archived } = header.said
  const listed = { id, cwd, title, prompts, branches, updated, archived, bytes: stat.size, mtime: modified, from }
  return isListed(listed) ? (listed as unknown as Listed) : undefined
}

/** Imported here, because few sessions have no index. */
async function opened(file: string, stat: Stats): Promise<Listed | undefined> {
  const { listByLog } = await import("./list-by-log.ts")
  return listByLog(file, stat)
}
