// Exports a session from a database as the file that `opencode export` would write, which serves as its copy.
import { createHash } from "node:crypto"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { AgentHomes, Exported, SessionPlace } from "../port.ts"
import { isoTime, listField, objectField, textField } from "../shared/json-line.ts"
import { readDatabase } from "../sqlite/read-database.ts"
import { SqliteDamage } from "../sqlite/sqlite-damage.ts"
import { dataFolder, EXPORTED, infosIn } from "./place.ts"
import { wholeSessionIn } from "./stored-session.ts"

/** Larger sessions are not copied: a whole session has to be in memory. */
const MOST = 256 * 1024 * 1024

/** Names become part of paths, so only names that opencode could have made are accepted. */
const NAME = /^ses_[0-9A-Za-z]+$/

/** Undefined if the session is not in a database. */
export function exportedSession({ path, within }: SessionPlace, homes: AgentHomes): Exported | undefined {
  if (within === undefined || !NAME.test(within)) return undefined
  const info = infosIn(path).find((each) => textField(each, "id") === within)
  const updated = Date.parse(isoTime(objectField(info, "time")?.updated))
  return { file: join(dataFolder(homes), EXPORTED, `${within}.json`), updated, bytes: () => bytesOf(path, within) }
}

function bytesOf(path: string, name: string): Buffer {
  const unread = (problem: string) => new RetconError({ code: "io", path, problem })
  try {
    return readDatabase(path, (database) => {
      const session = wholeSessionIn(database, name)
      if (session === undefined) throw unread(`it has no session ${name}`)
      const texts: string[] = []
      let size = 0
      for (const message of session.messages) {
        const text = JSON.stringify(message)
        size += text.length
        if (size > MOST) throw unread(`session ${name} has more than 256 MB`)
        texts.push(text)
      }
      return Buffer.from(`{"info":${JSON.stringify(session.info)},"messages":[${texts.join(",\n")}]}\n`)
    })
  } catch (error) {
    throw error instanceof SqliteDamage ? unread(error.message) : error
  }
}

/** The last characters of an id are random; those before them are its time, by which messages are sorted. */
const RANDOM = 8

/** Undefined if it is not an export. Contract: the same copy gets the same ids each time. */
export function underOtherIds(copy: Buffer): { name: string; bytes: Buffer } | undefined {
  const parsed = parseJson(copy.toString("utf8"))
  const info = parsed.ok ? objectField(parsed.value, "info") : undefined
  const name = textField(info, "id")
  if (!parsed.ok || info === undefined || name === undefined || !NAME.test(name)) return undefined
  const seed = createHash("sha256").update(copy).digest("hex")
  const ids = [name, ...listField(parsed.value, "messages").flatMap(idsOf)]
  const others = new Map(ids.map((id) => [id, otherId(id, seed)]))
  const title = `${textField(info, "title") ?? ""} (kept by retcon)`
  const { revert: _, ...rest } = info
  const renamed = renamedIn({ ...(parsed.value as JsonObject), info: { ...rest, title } }, others)
  return { name: others.get(name) as string, bytes: Buffer.from(`${JSON.stringify(renamed)}\n`) }
}

function idsOf(message: Json): string[] {
  const objects = [objectField(message, "info"), ...listField(message, "parts")]
  return objects.flatMap((object) => textField(object, "id") ?? [])
}

function otherId(id: string, seed: string): string {
  const random = createHash("sha256").update(`${seed} ${id}`).digest("hex").slice(0, RANDOM)
  return `${id.slice(0, -RANDOM)}${random}`
}

/** Replaces texts that are an id, wherever they are, and nothing within texts. */
function renamedIn(value: Json, others: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return others.get(value) ?? value
  if (Array.isArray(value)) return value.map((each) => renamedIn(each, others))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamedIn(each, others)]))
}
