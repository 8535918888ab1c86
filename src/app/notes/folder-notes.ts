// Notes that agents leave for the next session in a folder: one append-only file per folder in retcon's home.
import { createHash } from "node:crypto"
import { appendFileSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import { attemptRead, ensureFolder, errno, fail } from "../../store/file/disk/problems.ts"
import type { AppDeps } from "../port/app-deps.ts"

export interface FolderNote {
  id: string
  /** ISO time. */
  at: string
  /** The agent that left it, such as claude-code; absent: unknown. */
  by?: string
  text: string
  /** When it was delivered, and to which agent. */
  delivered?: { at: string; to?: string }
}

export interface NotesDeps {
  /** retcon's own. */
  home: string
  /** The folder that the notes are about. */
  cwd: string
  /** ISO time. */
  now: () => string
  newId: () => string
}

export function notesOf({ home, sessionOptions }: Pick<AppDeps, "home" | "sessionOptions">, cwd: string): NotesDeps {
  return { home, cwd, now: sessionOptions.now, newId: () => sessionOptions.ids.record() }
}

function fileOf({ home, cwd }: Pick<NotesDeps, "home" | "cwd">): string {
  return join(home, "notes", `${createHash("sha256").update(cwd).digest("hex").slice(0, 32)}.jsonl`)
}

/** Oldest first. Skips lines that cannot be read. */
export function readNotes(deps: Pick<NotesDeps, "home" | "cwd">): FolderNote[] {
  const notes = new Map<string, FolderNote>()
  for (const line of textOf(fileOf(deps)).split("\n")) {
    const json = line === "" ? undefined : parseJson(line)
    if (json?.ok !== true || !isObject(json.value)) continue
    const { id, at, by, text, delivered, to } = json.value
    if (typeof at !== "string") continue
    if (typeof id === "string" && typeof text === "string")
      notes.set(id, { id, at, text, ...(typeof by === "string" && { by }) })
    const note = typeof delivered === "string" ? notes.get(delivered) : undefined
    if (note !== undefined) note.delivered = { at, ...(typeof to === "string" && { to }) }
  }
  return [...notes.values()]
}

/** Those that no agent has received. */
export function waitingNotes(deps: Pick<NotesDeps, "home" | "cwd">): FolderNote[] {
  return readNotes(deps).filter(({ delivered }) => delivered === undefined)
}

export function leaveNote(deps: NotesDeps, text: string, by?: string): void {
  append(deps, { id: deps.newId(), at: deps.now(), cwd: deps.cwd, ...(by !== undefined && { by }), text })
}

/** They are not delivered again, but stay readable. */
export function markDelivered(deps: Omit<NotesDeps, "newId">, notes: readonly FolderNote[], to?: string): void {
  for (const { id } of notes) append(deps, { delivered: id, at: deps.now(), ...(to !== undefined && { to }) })
}

/** One write, so that lines of several processes do not mix. */
function append(deps: Pick<NotesDeps, "home" | "cwd">, line: object): void {
  const file = fileOf(deps)
  try {
    ensureFolder(dirname(file))
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch (error) {
    fail(error, file)
  }
}

function textOf(file: string): string {
  return attemptRead(file, () => {
    try {
      return readFileSync(file, "utf8")
    } catch (error) {
      if (errno(error) === "ENOENT") return ""
      throw error
    }
  })
}
