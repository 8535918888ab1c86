// Qwen Code's sessions: one file per session, a tree in which each line names its parent.

import { lineMarks } from "../../model/line-marks.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { eachLine, firstLine, firstTold, lastTimestamp, linesIn, parseLine, textField } from "../shared/json-line.ts"
import { promptText, titleIn } from "./message.ts"
import { askerOf, metaFile, placesIn, sessionIn } from "./place.ts"
import { QWEN_MARKS, qwenRequests } from "./requests.ts"

export const qwenCode: Format = {
  agent: "qwen-code",

  find: (homes: AgentHomes): Iterable<SessionPlace> => placesIn(homes),

  glance({ path }, { head, tail, read }: GlanceInput): Glance | undefined {
    const first = firstLine(head)
    const session = first === undefined ? undefined : sessionIn(first)
    if (session === undefined) return undefined
    const { name, key, cwd, task, split } = session
    const updated = lastTimestamp(tail)
    const meta = task === undefined ? undefined : parseLine(read(metaFile(path)) ?? Buffer.alloc(0))
    const from = task ?? split
    return {
      name,
      id: sessionIdOf("qwen-code", key),
      cwd,
      title: textField(meta, "description") ?? titleAmong(head, tail) ?? firstTold(eachLine(head), promptText),
      ...(updated !== undefined && { updated }),
      ...(from !== undefined && {
        from: { name: from, as: task === undefined ? ("split" as const) : ("task" as const) },
      }),
    }
  },

  titles: {
    marks: ['"custom_title"'],
    read: (line) => {
      const text = titleIn(line) ?? ""
      return text === "" ? undefined : { text, rank: 0 }
    },
  },

  detect({ path, head }): SessionPlace | undefined {
    const first = head === undefined ? undefined : firstLine(head)
    return first !== undefined && sessionIn(first) !== undefined ? { path, main: path } : undefined
  },

  lineMarks: lineMarks([
    ['"subtype":"ui_telemetry"', "nobody"],
    ['"subtype":"attribution_snapshot"', "nobody"],
    ['"functionResponse"', "result"],
    ['"functionCall"', "call"],
    ['"subtype":"notification"', "other"],
    ['"type":"user"', "you"],
    ['"type":"assistant"', "agent"],
    ['"type":"system"', "other"],
  ]),

  requestMarks: QWEN_MARKS,

  requests: qwenRequests,

  open: async (place) => (await import("./open.ts")).openQwen(place),

  files: ({ path }) => (askerOf(path) === undefined ? [] : filesIn(path.slice(0, path.lastIndexOf("/")), ".meta.json")),

  /** A sub-agent is continued through the session that asked it. */
  resume: ({ path }, name) => ["qwen", "--resume", askerOf(path) ?? name],
}

function titleAmong(...pieces: Buffer[]): string | undefined {
  const lines = pieces.flatMap((piece) => linesIn(piece, ["custom_title"]))
  return lines.map(titleIn).findLast((text) => text !== undefined && text !== "")
}
