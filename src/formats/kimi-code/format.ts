// Kimi Code's sessions: a folder each, with the wire log of the main agent and of each sub-agent.
import { basename, dirname, join } from "node:path"
import type { Json, JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { isoTime, linesIn, numberField, objectField, textField } from "../shared/json-line.ts"
import { contentOf } from "../shared/kimi-parts.ts"
import { authorOf } from "./origin.ts"
import { agentOf, headerIn, homeOf, idOf, keyOf, MAIN, nameOf, placeOf, readState, stateFile, WIRE } from "./place.ts"

export const kimiCode: Format = {
  agent: "kimi-code",
  lineMarks: lineMarks([
    ['"type":"tool.call"', "call"],
    ['"type":"tool.result"', "result"],
    ['"kind":"injection"', "other"],
    ['"kind":"system_trigger"', "other"],
  ]),

  *find(homes: AgentHomes): Iterable<SessionPlace> {
    for (const workspace of foldersIn(join(homeOf(homes), "sessions"))) {
      for (const session of foldersIn(workspace)) {
        for (const agent of foldersIn(join(session, "agents"))) {
          if (filesIn(agent, WIRE).length > 0) yield placeOf(session, basename(agent))
        }
      }
    }
  },

  glance(place, { head, tail, read }: GlanceInput): Glance | undefined {
    const lines = linesIn(head)
    if (lines[0] === undefined) return undefined
    const agent = agentOf(place)
    const state = readState(read(stateFile(agent)))
    const isMain = agent.agent === MAIN
    const updated = later(lastTime(linesIn(tail)), isMain ? state.updated : undefined)
    const from = isMain ? state.forkedFrom : nameOf({ ...agent, agent: state.parentOf(agent.agent) ?? MAIN })
    const prompt = [...lines, ...linesIn(tail)].map(firstWords).find((text) => text !== undefined)
    return {
      name: nameOf(agent),
      id: idOf(agent),
      cwd: state.cwd,
      title: (isMain ? (state.title ?? state.lastPrompt) : undefined) ?? prompt,
      ...(updated !== undefined && { updated }),
      ...(from !== undefined && { from: { name: keyOf(from), as: isMain ? ("split" as const) : ("task" as const) } }),
    }
  },

  detect({ path, head, names }): SessionPlace | undefined {
    if (names?.includes("agents") && names.includes("state.json")) return placeOf(path, MAIN)
    if (names?.includes(WIRE) && basename(dirname(path)) === "agents")
      return placeOf(dirname(dirname(path)), basename(path))
    if (head === undefined || basename(path) !== WIRE || headerIn(head) === undefined) return undefined
    const home = dirname(path)
    return placeOf(dirname(dirname(home)), basename(home))
  },

  open: async (place) => (await import("./open.ts")).openKimiCode(place),

  /** For a session, those of its sub-agents too. */
  files(place) {
    const agent = agentOf(place)
    const own = dirname(place.main)
    const homes = agent.agent === MAIN ? foldersIn(dirname(own)) : [own]
    const folders = homes.flatMap((home) => [home, join(home, "blobs"), join(home, "file-history")])
    return [stateFile(agent), ...folders.flatMap((folder) => filesIn(folder, ""))]
  },

  folders: (homes) => [homeOf(homes)],

  /** A sub-agent is continued through its session. */
  resume: (place) => ["kimi", "--session", agentOf(place).session],

  write: async (request) => (await import("./write.ts")).writeKimiCode(request),
}

function firstWords(line: JsonObject): string | undefined {
  const message = line.type === "context.append_message" ? objectField(line, "message") : undefined
  const said = message === undefined ? undefined : authorOf(message)
  if (message === undefined || (said?.origin !== "prompt" && said?.origin !== "task")) return undefined
  const texts = contentOf(message.content, () => undefined).flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.join("\n")
}

/** A session that was copied is newer than its last message. */
function later(last: string | undefined, updated: Json | undefined): string | undefined {
  if (updated === undefined) return last
  const noted = isoTime(updated)
  return last === undefined || noted > last ? noted : last
}

function lastTime(lines: readonly JsonObject[]): string | undefined {
  const last = lines.findLast(
    (line) => textField(line, "type") !== undefined && numberField(line, "time") !== undefined,
  )
  return last === undefined ? undefined : isoTime(last.time)
}
