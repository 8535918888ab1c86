// What a settings file was before hooks were installed in it: uninstall gives it back byte for byte, unless it was changed since.
import { createHash } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import { attempt, ensureFolder, orNothing } from "../../store/file/disk/problems.ts"

interface Remembered {
  /** Null: there was no file. */
  before: Buffer | null
  /** The digest of what the installation made of it. */
  installed: string
}

function recordFile(home: string, settings: string): string {
  return join(home, "hooks", `${digest(Buffer.from(settings)).slice(0, 16)}.json`)
}

/** `before`: null when there was no file. */
export function rememberBefore(home: string, file: string, before: Buffer | null, after: Buffer): void {
  const record = { file, before: before?.toString("base64") ?? null, installed: digest(after) }
  const path = recordFile(home, file)
  attempt(path, () => {
    ensureFolder(join(home, "hooks"))
    writeFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  })
}

/** What it was; null: it was not there. Undefined: that is not known, or the file was changed since. */
export function bytesBefore(home: string, file: string, now: Buffer): Buffer | null | undefined {
  const known = remembered(home, file)
  return known?.installed === digest(now) ? known.before : undefined
}

export function forgetBefore(home: string, file: string): void {
  rmSync(recordFile(home, file), { force: true })
}

function remembered(home: string, file: string): Remembered | undefined {
  const text = orNothing(() => readFileSync(recordFile(home, file), "utf8"))
  const json = text === undefined ? undefined : parseJson(text)
  if (json?.ok !== true || !isObject(json.value)) return undefined
  const { before, installed } = json.value
  if (typeof installed !== "string" || (before !== null && typeof before !== "string")) return undefined
  return { before: before === null ? null : Buffer.from(before, "base64"), installed }
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
