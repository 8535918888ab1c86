// Copies of sessions that live in a database, one file each: the whole database would have to be copied again after every
// prompt.
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AgentHomes, Format, SessionPlace } from "../../formats/port.ts"
import { listField, objectField, textField } from "../../formats/shared/json-line.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseJson } from "../../model/json.ts"
import { attempt, ensureFolder, orNothing } from "../../store/file/disk/problems.ts"
import { finish, keepVersion, type PlannedFile } from "./keep-file.ts"

const DAY = 24 * 60 * 60 * 1000

export interface PlannedExport extends PlannedFile {
  content: () => Buffer
}

/**
 * Undefined: nothing to do. A session used less than a day before its copy was made is compared again whenever the database
 * changes, because its agent does not update the session's time for every change.
 */
export function planExport(
  format: Format,
  place: SessionPlace,
  { folder, homes }: { folder: string; homes: AgentHomes },
): PlannedExport | undefined {
  const exported = format.exported?.(place, homes)
  if (exported === undefined) return undefined
  const copy = join(folder, exported.file)
  const had = orNothing(() => lstatSync(copy))
  const plan = { file: `${place.path}#${place.within}`, copy, bytes: 0, content: exported.bytes }
  if (had === undefined) return { ...plan, change: "new" }
  const changed = orNothing(() => lstatSync(place.main).mtimeMs) ?? 0
  const settled = exported.updated <= had.mtimeMs && (changed <= had.mtimeMs || had.mtimeMs - exported.updated > DAY)
  return settled ? undefined : { ...plan, change: "rewritten" }
}

/** `left`: the session cannot be read. Undefined: it has more than `most` bytes to copy. Throws as `keepFile` does. */
export function keepExport(
  { content, ...planned }: PlannedExport,
  { now, most = Number.POSITIVE_INFINITY }: { now: number; most?: number | undefined },
): PlannedFile | "left" | undefined {
  const bytes = contentOf(content)
  if (bytes === undefined) return "left"
  if (bytes.length > most) return undefined
  const { copy } = planned
  const had = orNothing(() => readFileSync(copy))
  write(copy, bytes, { now, version: had !== undefined && !holdsAll(bytes, had) })
  return { ...planned, bytes: bytes.length, change: had?.equals(bytes) === true ? "touched" : planned.change }
}

function contentOf(content: () => Buffer): Buffer | undefined {
  try {
    return content()
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

function write(copy: string, bytes: Buffer, { now, version }: { now: number; version: boolean }): void {
  ensureFolder(dirname(copy))
  const temporary = `${copy}.tmp`
  rmSync(temporary, { force: true })
  const target = attempt(temporary, () => openSync(temporary, "wx", 0o600))
  try {
    attempt(copy, () => {
      for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done)
    })
    finish(target, { atimeMs: now, mtimeMs: now }, copy)
    if (version) keepVersion(copy)
    attempt(copy, () => renameSync(temporary, copy))
  } finally {
    closeSync(target)
    orNothing(() => rmSync(temporary, { force: true }))
  }
}

/** Whether every message and part of the earlier copy is in this one. If not, the earlier copy is kept beside it. */
function holdsAll(now: Buffer, before: Buffer): boolean {
  const there = new Set(idsIn(now))
  return idsIn(before).every((id) => there.has(id))
}

function idsIn(bytes: Buffer): string[] {
  const parsed = parseJson(bytes.toString("utf8"))
  const messages = parsed.ok ? listField(parsed.value, "messages") : []
  return messages.flatMap((message) => {
    const objects = [objectField(message, "info"), ...listField(message, "parts")]
    return objects.flatMap((object) => textField(object, "id") ?? [])
  })
}

/** Bytes to copy; 0 if the session cannot be read. */
export function exportSize({ content }: Pick<PlannedExport, "content">): number {
  return contentOf(content)?.length ?? 0
}
