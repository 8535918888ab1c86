// Gemini CLI's sessions: one file per session, whose lines are folded into a list of messages.
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import { plainText } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { linesIn, objectField, textField } from "../shared/json-line.ts"
import { isDocument, readDocument } from "./legacy.ts"
import { authorOf, displayOf, partsOf } from "./message.ts"
import { askedBy, contextIn, cwdOf, geminiFolder, headerIn, placesIn, rootFile } from "./place.ts"
import { titleIn } from "./titles.ts"

export const geminiCli: Format = {
  agent: "gemini-cli",
  lineMarks: lineMarks([
    ['"functionResponse"', "result"],
    ['"functionCall"', "call"],
    ['"toolCalls":[{', "call"],
    ["<session_context>", "other"],
    ['"type":"user"', "you"],
    ['"type":"gemini"', "agent"],
  ]),

  find: (homes: AgentHomes): Iterable<SessionPlace> => placesIn(homes),

  glance({ path }, { head, tail, read }: GlanceInput): Glance | undefined {
    const header = headerIn(head) ?? beginningOf(head, path)
    const name = textField(header, "sessionId")
    if (header === undefined || name === undefined) return undefined
    const lines = [...linesIn(head), ...linesIn(tail)]
    const title = lines.map((line) => titleIn(objectField(line, "$set"))).findLast((text) => text !== undefined)
    const asker = header.kind === "subagent" ? askedBy(path) : undefined
    return {
      name,
      id: sessionIdOf("gemini-cli", name),
      cwd: cwdOf(header, read(rootFile(path)), contextIn(head)),
      title: title ?? titleIn(header) ?? lines.map(promptIn).find((text) => text !== undefined),
      ...(asker !== undefined && { from: { name: asker, as: "task" as const } }),
    }
  },

  detect({ path, head }): SessionPlace | undefined {
    if (head === undefined || (headerIn(head) ?? beginningOf(head, path)) === undefined) return undefined
    return { path, main: path }
  },

  open: async (place) => (await import("./open.ts")).openGemini(place),

  files: ({ path }) => [rootFile(path)],

  folders: (homes) => [geminiFolder(homes)],

  resume: (_, name) => ["gemini", "--resume", name],

  write: async (request) => (await import("./write.ts")).writeGemini(request),
}

function promptIn(line: JsonObject): string | undefined {
  if (typeof line.id !== "string" || authorOf(line)?.origin !== "prompt") return undefined
  return displayOf(line) ?? plainText(partsOf(line))
}

/** Reads the fields before the messages from the beginning of a document. */
function beginningOf(head: Buffer, path: string): JsonObject | undefined {
  if (!isDocument(path)) return undefined
  const whole = readDocument(head)
  if (whole !== undefined) return whole
  const text = head.toString("utf8")
  const end = text.search(/,\s*"messages"\s*:/)
  return end === -1 ? undefined : readDocument(Buffer.from(`${text.slice(0, end)}}`))
}
