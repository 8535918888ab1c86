// Local state in files: <home>/local/<session>.<name>.json, which only the owner can read.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { basename, join } from "node:path"
import type { SessionId } from "../../../model/id.ts"
import { isObject, type Json, parseJson } from "../../../model/json.ts"
import { type LocalState, memoryLocal } from "../../local.ts"
import type { SessionLog } from "../../port.ts"
import { homeOf } from "../disk/layout.ts"
import { attempt, ensureFolder, orNothing, syncFolder } from "../disk/problems.ts"

const TEMPORARY = ".tmp"

function localFolder(home: string): string {
  return join(home, "local")
}

/** A copy of a session in another place has the same id, but is another session. */
function nameOf(home: string, id: SessionId, file: string): string {
  return homeOf(file) === home ? id : `${id}-${digest(file).slice(0, 12)}`
}

export function localFiles(home: string, { id, file }: Pick<SessionLog, "id" | "file">): LocalState {
  if (file === undefined) return memoryLocal()
  const folder = localFolder(home)
  const prefix = `${nameOf(home, id, file)}.`
  const pathOf = (name: string) => join(folder, `${prefix}${name}.json`)
  return {
    identity: () => identityOf(file),
    read: (name) => stored(pathOf(name))?.value,
    write(name, value, how) {
      const path = pathOf(name)
      if (value === undefined) attempt(path, () => rmSync(path, { force: true }))
      else replace(path, `${JSON.stringify({ log: file, value })}\n`, how === undefined)
    },
    watch(listener) {
      const watcher = orNothing(() => {
        ensureFolder(folder)
        return watch(folder, { persistent: false }, (_, changed) => {
          if (changed === null || changed.startsWith(prefix)) listener()
        })
      })
      watcher?.on("error", () => watcher.close())
      return () => watcher?.close()
    },
  }
}

/** Consent ends when a session is removed, even if it is restored later. What the person typed comes back with it. */
export function endConsent(home: string, id: SessionId, log: string): void {
  const path = join(localFolder(home), `${nameOf(home, id, log)}.consent.json`)
  attempt(path, () => rmSync(path, { force: true }))
}

/** The files whose log no longer exists, and what crashes left. `known`: the ids of sessions whose log exists. */
export function withoutLog(home: string, known: ReadonlySet<string>): string[] {
  const folder = localFolder(home)
  return (orNothing(() => readdirSync(folder)) ?? [])
    .map((name) => join(folder, name))
    .filter((path) => {
      if (path.endsWith(TEMPORARY)) return true
      if (known.has(basename(path).split(".", 1)[0] ?? "")) return false
      const log = stored(path)?.log
      return log === undefined || !existsSync(log)
    })
}

function stored(path: string): { log: string; value: Json } | undefined {
  const text = orNothing(() => readFileSync(path, "utf8"))
  const parsed = text === undefined ? undefined : parseJson(text)
  const content = parsed?.ok === true ? parsed.value : undefined
  if (!isObject(content) || typeof content.log !== "string" || content.value === undefined) return undefined
  return { log: content.log, value: content.value }
}

function replace(path: string, content: string, flush: boolean): void {
  const folder = join(path, "..")
  const temporary = `${path}.${process.pid}${TEMPORARY}`
  ensureFolder(folder)
  attempt(path, () => {
    try {
      writeFileSync(temporary, content, { mode: 0o600, flush })
      renameSync(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    if (flush) syncFolder(folder)
  })
}

/** A copied file has another number and another time of birth, whatever the tool that copied it. */
function identityOf(log: string): string | undefined {
  const found = orNothing(() => ({ stat: statSync(log, { bigint: true, throwIfNoEntry: false }) }))
  if (found === undefined) return undefined
  const { stat } = found
  return digest(`${machine()} ${stat?.ino ?? ""} ${stat?.birthtimeNs ?? ""}`)
}

let known: string | undefined

function machine(): string {
  known ??= orNothing(() => readFileSync("/etc/machine-id", "utf8").trim()) || hostname()
  return known
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
