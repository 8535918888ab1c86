// What a settings file was before we installed something in it: uninstall restores it byte for byte, unless it was
// changed since. Two things may be installed in one file; each has a separate record.
import { createHash } from "node:crypto"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import { attempt, ensureFolder, orNothing } from "../../store/file/disk/problems.ts"

interface Remembered {
  /** Null: there was no file. */
  before: Buffer | null
  /** The digest of the file after the installation. */
  installed: string
}

export type Installed = "hooks" | "mcp"

/** Which settings, and what we installed in them. */
export interface InstalledIn {
  home: string
  file: string
  what: Installed
}

function recordFile({ home, file, what }: InstalledIn): string {
  const key = what === "hooks" ? file : `${what} ${file}`
  return join(home, "hooks", `${digest(Buffer.from(key)).slice(0, 16)}.json`)
}

/** `before`: null if there was no file. */
export function rememberBefore(at: InstalledIn, before: Buffer | null, after: Buffer): void {
  remember(at, { before, installed: digest(after) })
}

/** When it was installed, as far as we remember; it was not uninstalled since. */
export function installedAt(at: InstalledIn): Date | undefined {
  return orNothing(() => statSync(recordFile(at)))?.mtime
}

/** The person has removed it in another way. */
export function forgetInstalled(at: InstalledIn): void {
  orNothing(() => rmSync(recordFile(at), { force: true }))
}

/** The content before; null: it did not exist. Undefined: unknown, or the file was changed since. */
export function bytesBefore(at: InstalledIn, now: Buffer): Buffer | null | undefined {
  const known = remembered(at)
  return known?.installed === digest(now) ? known.before : undefined
}

/**
 * It was uninstalled, and the file is `after` now. If something else is still installed that was added later, its
 * record includes this; that record is changed to begin with the file as it was before both.
 */
export function forgetBefore(at: InstalledIn, before: Buffer | undefined, after: Buffer | undefined): void {
  const behind = { ...at, what: at.what === "hooks" ? ("mcp" as const) : ("hooks" as const) }
  const [own, other] = [remembered(at), remembered(behind)]
  rmSync(recordFile(at), { force: true })
  if (
    own === undefined ||
    before === undefined ||
    after === undefined ||
    other?.before === undefined ||
    other.before === null
  )
    return
  if (other.installed !== digest(before) || digest(other.before) !== own.installed) return
  remember(behind, { before: own.before, installed: digest(after) })
}

function remember(at: InstalledIn, { before, installed }: Remembered): void {
  const record = { file: at.file, before: before?.toString("base64") ?? null, installed }
  const path = recordFile(at)
  attempt(path, () => {
    ensureFolder(join(at.home, "hooks"))
    writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  })
}

function remembered(at: InstalledIn): Remembered | undefined {
  const text = orNothing(() => readFileSync(recordFile(at), "utf8"))
  const json = text === undefined ? undefined : parseJson(text)
  if (json?.ok !== true || !isObject(json.value)) return undefined
  const { before, installed } = json.value
  if (typeof installed !== "string" || (before !== null && typeof before !== "string")) return undefined
  return { before: before === null ? null : Buffer.from(before, "base64"), installed }
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
