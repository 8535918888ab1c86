// Klaude Code's sessions: a folder each, with a file of events. Sub-agents' sessions are beside the others.
import { basename, dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { linesIn, objectField } from "../shared/json-line.ts"
import { authorOf, textOf } from "./origin.ts"
import { EVENTS, idOf, metaFile, nameOf, placeIn, readMeta } from "./place.ts"

export const klaudeCode: Format = {
  agent: "klaude-code",

  *find({ home }: AgentHomes): Iterable<SessionPlace> {
    for (const project of foldersIn(join(home, ".klaude", "projects"))) {
      for (const session of foldersIn(join(project, "sessions"))) {
        if (filesIn(session, EVENTS).length > 0) yield placeIn(session)
      }
    }
  },

  glance(place, { head, read }: GlanceInput): Glance | undefined {
    if (head.length === 0) return undefined
    const name = nameOf(place)
    const { cwd, title, parent } = readMeta(read(metaFile(place)))
    const first = linesIn(head).find((line) => line.type === "UserMessage")
    return {
      name,
      id: idOf(name),
      cwd,
      title: title ?? (first === undefined ? undefined : textOf(objectField(first, "data"))),
      ...(parent !== undefined && { from: { name: parent, as: "task" as const } }),
    }
  },

  detect({ path, head, names }): SessionPlace | undefined {
    if (names !== undefined) return names.includes(EVENTS) && names.includes("meta.json") ? placeIn(path) : undefined
    if (head === undefined || basename(path) !== EVENTS || !linesIn(head).some(isEvent)) return undefined
    return placeIn(dirname(path))
  },

  open: async (place) => (await import("./open.ts")).openKlaude(place),

  files: (place) => [metaFile(place)],

  resume: (_, name) => ["klaude", "--resume", name],
}

function isEvent(line: JsonObject): boolean {
  return objectField(line, "data") !== undefined && authorOf(line, false) !== undefined
}
