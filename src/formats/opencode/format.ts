// opencode's sessions: rows of a database, files of an older version, or what `opencode export` wrote.
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { isoTime, objectField, parseLine, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { isSqlite } from "../sqlite/pages.ts"
import { isExport, readExport } from "./export-file.ts"
import { exportedSession, underOtherIds } from "./export-session.ts"
import { isStored, storedFiles } from "./folder.ts"
import { infosIn, placesIn, placesInDatabase, sessionIdAt } from "./place.ts"

export const opencode: Format = {
  agent: "opencode",
  lineMarks: lineMarks([['"type":"tool"', "call"]]),

  find: (homes: AgentHomes): Iterable<SessionPlace> => placesIn(homes),

  glance(place, { head, read }: GlanceInput): Glance | undefined {
    const info = infoAt(place, head, read)
    const name = textField(info, "id")
    if (info === undefined || name === undefined || name === "") return undefined
    const [title, parent, cwd] = [textField(info, "title"), textField(info, "parentID"), textField(info, "directory")]
    return {
      name,
      id: sessionIdAt(place, name),
      cwd,
      title,
      updated: isoTime(objectField(info, "time")?.updated),
      ...(parent !== undefined && { from: { name: parent, as: "task" as const } }),
    }
  },

  /** In a database with several sessions, the one used last. */
  detect({ path, head }): SessionPlace | undefined {
    if (head === undefined) return undefined
    if (isSqlite(head)) return newestIn(path)
    return isExport(head) || (isStored(path) && parseLine(head) !== undefined) ? { path, main: path } : undefined
  },

  open: async (place) => (await import("./open.ts")).openOpencode(place),

  files: ({ path }) => (isStored(path) ? storedFiles(path) : []),

  exported: exportedSession,

  takeIn: ({ path }) => (isExport(readHead(path, 200)) ? ["opencode", "import", path] : undefined),

  underOtherIds,

  resume: (_, name) => ["opencode", "--session", name],
}

/** The few bytes that `look` provides of a database are useless, so its table of sessions is read. */
function infoAt({ path, within }: SessionPlace, head: Buffer, read: GlanceInput["read"]): JsonObject | undefined {
  if (within !== undefined) return infosIn(path).find((info) => info.id === within)
  if (isStored(path)) return parseLine(head) ?? parseLine(read(path) ?? head)
  return readExport(path)?.info
}

function newestIn(path: string): SessionPlace | undefined {
  const places = placesInDatabase(path)
  const updated = new Map(infosIn(path).map((info) => [textField(info, "id"), objectField(info, "time")?.updated]))
  const time = (place: SessionPlace) => Number(updated.get(place.within) ?? 0)
  return places.reduce<SessionPlace | undefined>(
    (best, place) => (best === undefined || time(place) > time(best) ? place : best),
    undefined,
  )
}
