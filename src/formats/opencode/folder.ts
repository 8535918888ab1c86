// A session of an older opencode: a file for the session, for each message and for each part, in separate folders.
import { basename, dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import type { SessionLines } from "./session-lines.ts"

const MOST = 64 * 1024 * 1024

/** Whether a file belongs to the older storage, judged by where it is. */
export function isStored(path: string): boolean {
  return /[\\/]storage[\\/]session[\\/][^\\/]+[\\/]ses_[0-9A-Za-z]+\.json$/.test(path)
}

/** From `storage/session/<project>/<name>.json`. */
export function sessionInFolder(path: string): SessionLines | undefined {
  const info = parseLine(readHead(path, MOST))
  const name = basename(path, ".json")
  if (info === undefined || !isPlain(name)) return undefined
  const storage = dirname(dirname(dirname(path)))
  return { info: { ...info, id: name }, messages: messagesIn(storage, name) }
}

/** The files of its messages and of their parts. */
export function storedFiles(path: string): string[] {
  const storage = dirname(dirname(dirname(path)))
  const messages = filesIn(join(storage, "message", basename(path, ".json")), ".json")
  return messages.flatMap((file) => [file, ...filesIn(join(storage, "part", basename(file, ".json")), ".json")])
}

function* messagesIn(storage: string, name: string): Generator<{ info: JsonObject; parts: JsonObject[] }> {
  const all = objectsIn(join(storage, "message", name))
  for (const info of all.sort(byTime))
    yield { info, parts: objectsIn(join(storage, "part", textField(info, "id") ?? "")) }
}

/** The objects in a folder's files, each with the name of its file as its id. */
function objectsIn(folder: string): JsonObject[] {
  return filesIn(folder, ".json").flatMap((path) => {
    const [value, id] = [parseLine(readHead(path, MOST)), basename(path, ".json")]
    return value === undefined || !isPlain(id) ? [] : [{ ...value, id }]
  })
}

/** Names become part of paths, so only names that opencode could have made are accepted. */
function isPlain(name: string): boolean {
  return /^(ses|msg|prt)_[0-9A-Za-z]+$/.test(name)
}

function byTime(a: JsonObject, b: JsonObject): number {
  const [one, other] = [a, b].map((info) => numberField(objectField(info, "time"), "created") ?? 0)
  return (one ?? 0) - (other ?? 0) || ((textField(a, "id") ?? "") < (textField(b, "id") ?? "") ? -1 : 1)
}
