// Kimi Code's copies of files: before a turn's tools first change one, and at the end of the turn. Turns are numbered
// in order of time across branches, as the files were changed.
import { lstatSync } from "node:fs"
import { lstat, readFile } from "node:fs/promises"
import { dirname, isAbsolute, join, resolve } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { isObject } from "../../model/json.ts"
import { madeWords, textOf } from "../ids.ts"
import type { FileHistory } from "../port.ts"
import { millis, numberField, objectField, textField } from "../shared/json-line.ts"
import { linesOnce } from "../shared/lines-once.ts"
import { messageKey } from "./message-key.ts"

/** Nothing else is a valid name of a copy. */
const COPY = /^file-history\/[0-9a-f]{64}@v\d+$/

export function kimiFileHistory(wire: string, cwd: string): FileHistory {
  const records = linesOnce(wire, READ)
  return {
    reaches: "tool edits",
    async before(prompt) {
      const copies = copiesBefore(await records(), prompt)
      return [...copies].flatMap(([path, copy]) => {
        const bytes = bytesOf(dirname(wire), copy)
        return bytes === undefined ? [] : [{ path: isAbsolute(path) ? path : resolve(cwd, path), bytes }]
      })
    },
  }
}

/** Undefined if there is no copy: it keeps only those of the last turns, and none of very large files. */
function bytesOf(folder: string, copy: JsonObject): (() => Promise<Uint8Array | null>) | undefined {
  if (copy.key === null) return copy.oversize === true ? undefined : () => Promise.resolve(null)
  if (typeof copy.key !== "string" || !COPY.test(copy.key)) return undefined
  const file = join(folder, copy.key)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  return async () => ((await lstat(file)).isFile() ? readFile(file) : null)
}

const READ = ['{"type":"file_history.', '{"type":"turn.prompt"', '{"type":"context.append_message"']

function copiesBefore(records: readonly JsonObject[], prompt: string): Map<string, JsonObject> {
  const copies = new Map<string, JsonObject>()
  const turn = turnOf(records, prompt)
  if (turn === undefined) return copies
  const own = new Set<string>()
  for (const record of records) {
    const now = numberField(record, "turnId")
    if (now === undefined || typeof record.type !== "string" || !record.type.startsWith("file_history.")) continue
    // What a turn found wins over what it left. A later turn counts only for files that no earlier turn touched.
    if (now === turn && record.phase === "end") continue
    for (const [path, copy] of copiesIn(record)) {
      if (now < turn || (now === turn && !own.has(path)) || !copies.has(path)) copies.set(path, copy)
      if (now === turn) own.add(path)
    }
  }
  return copies
}

/** The turn that a prompt started: message and turn have the same id. */
function turnOf(records: readonly JsonObject[], prompt: string): number | undefined {
  for (const record of records) {
    const id = textField(objectField(record, "message"), "id")
    if (id === undefined || textOf(madeWords(millis(record.time), messageKey(id))) !== prompt) continue
    return numberField(
      records.find(({ type, promptId }) => type === "turn.prompt" && promptId === id),
      "turnId",
    )
  }
  return undefined
}

function copiesIn(record: JsonObject): [string, JsonObject][] {
  const [path, entry] = [textField(record, "path"), objectField(record, "entry")]
  const one: [string, JsonObject][] = path === undefined || entry === undefined ? [] : [[path, entry]]
  const all = Object.entries(objectField(record, "entries") ?? {})
  return [...one, ...all.flatMap(([name, copy]): [string, JsonObject][] => (isObject(copy) ? [[name, copy]] : []))]
}
