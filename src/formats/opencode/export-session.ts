// Exports a session from a database as the file that `opencode export` would write, which serves as its copy.
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { AgentHomes, Exported, SessionPlace } from "../port.ts"
import { isoTime, objectField, textField } from "../shared/json-line.ts"
import { dataFolder, EXPORTED, infosIn } from "./place.ts"
import { readDatabase } from "./sqlite/read-database.ts"
import { SqliteDamage } from "./sqlite/sqlite-damage.ts"
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
