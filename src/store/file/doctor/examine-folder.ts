// Examines the folders of sessions: what belongs there, who may read it, what a crash left behind.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { blobFolder, idInName, indexFile, leaseFile, moveFile, tipsFile } from "../disk/layout.ts"
import { errno } from "../disk/problems.ts"
import { statOf } from "../folder/stat-if-there.ts"
import { CATALOGUE } from "../index/catalogue.ts"
import { fileLease } from "../locks/lease.ts"
import { examineLog } from "./examine-log.ts"
import type { Examined, Finding, Tick } from "./finding.ts"

const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

/** A log and the files beside it. */
export async function examineSession(file: string, now: () => number, tick: Tick): Promise<Examined[]> {
  const log = await examineLog(file, tick)
  log.findings.push(...permissions(file))
  const others = [indexFile(file), leaseFile(file)].map(
    (path): Examined => ({ path, lines: 0, findings: permissions(path) }),
  )
  const lease = others.find(({ path }) => path === leaseFile(file))
  if (lease !== undefined && exists(lease.path) && fileLease(lease.path, now).holder() === undefined) {
    lease.findings.push({ kind: "dead-lease" })
  }
  return [log, ...others]
}

/**
 * Everything in the folder of one directory. Contract: as `examineLog`; a folder that does not exist has no findings.
 */
export async function examineFolder(folder: string, now: () => number, tick: Tick): Promise<Examined[]> {
  const names = namesIn(folder)
  if (!Array.isArray(names)) return unlisted(folder, names)
  const examined: Examined[] = [{ path: folder, lines: 0, findings: permissions(folder) }]
  const known = new Set<string>([join(folder, CATALOGUE), blobFolder(join(folder, "x"))])
  for (const name of names) {
    const file = join(folder, name)
    if (idInName(name) === undefined) continue
    examined.push(...(await examineSession(file, now, tick)))
    for (const path of [file, indexFile(file), tipsFile(file), leaseFile(file), moveFile(file)]) known.add(path)
  }
  for (const name of names) {
    const path = join(folder, name)
    examined.push({ path, lines: 0, findings: known.has(path) ? ownPermissions(path, name) : [outsider(path, name)] })
  }
  return examined.filter(({ lines, findings }) => lines > 0 || findings.length > 0)
}

/** Logs and the files beside them have already been examined. */
function ownPermissions(path: string, name: string): Finding[] {
  return name === CATALOGUE || name === "blobs" ? permissions(path) : []
}

function outsider(path: string, name: string): Finding {
  if (/\.(tmp|index|lease|move|takeover)$/.test(name)) return { kind: "left-over" }
  const stat = statOf(path)
  return { kind: "stranger", what: stat?.isDirectory() === true ? "folder" : "file" }
}

/** What is in the folder of all sessions but is not a folder of sessions. */
export function examineRoot(root: string): { folders: string[]; examined: Examined[] } {
  const names = namesIn(root)
  if (!Array.isArray(names)) return { folders: [], examined: unlisted(root, names) }
  const paths = names.map((name) => join(root, name))
  const folders = paths.filter((path) => statOf(path)?.isDirectory() === true)
  const files = paths.filter((path) => !folders.includes(path))
  const strangers = files.map((path): Examined => ({ path, lines: 0, findings: [{ kind: "stranger", what: "file" }] }))
  const own: Examined = { path: root, lines: 0, findings: permissions(root) }
  return { folders, examined: [own, ...strangers].filter(({ findings }) => findings.length > 0) }
}

/** Undefined if the folder does not exist. */
function namesIn(folder: string): string[] | Finding | undefined {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errno(error) === undefined) throw error
    if (errno(error) === "ENOENT") return undefined
    return { kind: "cannot-read", problem: error instanceof Error ? error.message : String(error) }
  }
}

function unlisted(folder: string, finding: Finding | undefined): Examined[] {
  return finding === undefined ? [] : [{ path: folder, lines: 0, findings: [finding] }]
}

function exists(path: string): boolean {
  return statOf(path) !== undefined
}

/** Whether others may read or write what only its owner should. */
function permissions(path: string): Finding[] {
  const stat = statOf(path)
  if (stat === undefined || !(stat.isFile() || stat.isDirectory())) return []
  const wanted = stat.isDirectory() ? FOLDER_MODE : FILE_MODE
  const mode = stat.mode & 0o777
  return (mode & 0o077) === 0 ? [] : [{ kind: "permissions", mode, wanted }]
}
