// Kimi CLI's sessions: a folder each, with the model's context and a wire log of what happened.
import { basename, dirname, join } from "node:path"
import { isObject, type JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { firstLine, linesIn, objectField, textField } from "../shared/json-line.ts"
import { CONTEXT, idOf, nameOf, partsOfPlace, placeIn, titleIn, WIRE, workDirectory } from "./place.ts"
import { textsOf } from "./texts.ts"

export const kimiCli: Format = {
  agent: "kimi-cli",
  lineMarks: lineMarks([
    ['"role":"_', "nobody"],
    ["<system-reminder>", "other"],
  ]),

  *find({ home, env }: AgentHomes): Iterable<SessionPlace> {
    const own = env.KIMI_SHARE_DIR
    const root = own === undefined || own === "" ? join(home, ".kimi") : own
    for (const group of foldersIn(join(root, "sessions"))) {
      for (const session of foldersIn(group)) {
        if (filesIn(session, CONTEXT).length > 0) yield placeIn(session)
        for (const agent of foldersIn(join(session, "subagents"))) {
          if (filesIn(agent, CONTEXT).length > 0) yield placeIn(agent)
        }
      }
    }
  },

  glance(place, { head, read }: GlanceInput): Glance | undefined {
    if (head.length === 0) return undefined
    const own = partsOfPlace(place)
    const typed = linesIn(read(join(own.folder, WIRE)) ?? Buffer.alloc(0)).map(inputIn)
    return {
      name: nameOf(own),
      id: idOf(own),
      cwd: workDirectory(read(join(own.root, "kimi.json")), own.group),
      title: titleIn(read(join(own.folder, "state.json"))) ?? typed.find((text) => text !== undefined),
      ...(own.agent !== undefined && { from: { name: own.session, as: "task" as const } }),
    }
  },

  detect({ path, head, names }): SessionPlace | undefined {
    if (names !== undefined) return names.includes(CONTEXT) ? placeIn(path) : undefined
    const first = head === undefined ? undefined : firstLine(head)
    if (first === undefined) return undefined
    const isContext = /^context(_\d+)?\.jsonl$/.test(basename(path)) && textField(first, "role") !== undefined
    const isWire = basename(path) === WIRE && first.type === "metadata" && first.created_at === undefined
    return isContext || isWire ? placeIn(dirname(path)) : undefined
  },

  open: async (place) => (await import("./open.ts")).openKimiCli(place),

  /** Earlier contexts, the wire log and titles; for a session, those of its sub-agents too. */
  files(place) {
    const { folder, root } = partsOfPlace(place)
    const agents = foldersIn(join(folder, "subagents"))
    return [join(root, "kimi.json"), ...[folder, ...agents].flatMap((each) => filesIn(each, ""))]
  },

  /** A sub-agent is continued through its session. */
  resume: (place) => ["kimi", "--session", partsOfPlace(place).session],
}

function inputIn(line: JsonObject): string | undefined {
  const message = objectField(line, "message")
  const payload = message?.type === "TurnBegin" ? message.payload : undefined
  return isObject(payload) ? textsOf(payload.user_input).join("\n") : undefined
}
