// Claude Code's sessions: one file per session and one per sub-agent, each a tree in which every line names its parent.
import { basename, dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import { plainText } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { contentsOf, filesIn, foldersIn } from "../shared/folder-contents.ts"
import { eachLine, firstTold, lastTimestamp, linesIn, objectField, textField } from "../shared/json-line.ts"
import { classify } from "./classify.ts"
import { claudeCleanUp } from "./clean-up.ts"
import { displayOf } from "./display.ts"
import { claudeFiles } from "./files.ts"
import { claudeHeader, configFolder, giverOf, keyOf, metaOf, nameOf } from "./place.ts"
import { CLAUDE_MARKS, claudeRequests } from "./requests.ts"
import { titleIn } from "./titles.ts"

export const claudeCode: Format = {
  agent: "claude-code",
  lineMarks: lineMarks([
    ['"type":"queue-operation"', "nobody"],
    ['"type":"attachment"', "other"],
    ['"isMeta":true', "other"],
  ]),

  *find(homes: AgentHomes): Iterable<SessionPlace> {
    for (const project of foldersIn(join(configFolder(homes), "projects"))) {
      const { files, folders } = contentsOf(project, ".jsonl")
      for (const path of files) yield { path, main: path }
      for (const session of folders) {
        for (const path of filesIn(join(session, "subagents"), ".jsonl")) {
          if (basename(path).startsWith("agent-")) yield { path, main: path }
        }
      }
    }
  },

  glance({ path }, look: GlanceInput): Glance | undefined {
    const opening: JsonObject[] = []
    const header = claudeHeader(path, noting(linesOf(look), opening))
    if (header === undefined) return undefined
    const { agent, cwd, forkedFrom } = header
    const meta = agent === undefined ? undefined : metaOf(path, look.read)
    const from =
      agent === undefined
        ? forkedFrom !== undefined && { name: forkedFrom, as: "split" as const }
        : { name: giverOf(header, meta), as: "task" as const }
    const updated = lastTimestamp(look.tail)
    return {
      name: nameOf(header),
      id: sessionIdOf("claude-code", keyOf(header)),
      cwd,
      title: agent === undefined ? titleAmong(look, opening) : textField(meta, "description"),
      ...(updated !== undefined && { updated }),
      ...(from !== false && { from }),
    }
  },

  titles: { marks: ['"type":"custom-title"', '"type":"ai-title"', '"type":"summary"'], read: titleIn },

  detect({ path, head }): SessionPlace | undefined {
    const lines = head === undefined ? [] : linesIn(head)
    const row = lines.find((line) => typeof line.uuid === "string" && typeof line.sessionId === "string")
    const isRow = row !== undefined && "parentUuid" in row && typeof row.isSidechain === "boolean" && !hasParts(row)
    // A first prompt with an image may not fit into these bytes.
    return isRow || (row === undefined && head !== undefined && ROW.test(head.toString("latin1")))
      ? { path, main: path }
      : undefined
  },

  open: async (place) => (await import("./open.ts")).openClaude(place),

  write: async (request) => (await import("./write.ts")).writeClaude(request),

  files: claudeFiles,

  requestMarks: CLAUDE_MARKS,

  requests: claudeRequests,

  cleanUp: claudeCleanUp,

  folders: (homes) => [configFolder(homes)],

  /** A sub-agent is continued through its parent session, whose folder contains it. */
  resume({ path }, name) {
    const folder = dirname(path)
    const works = basename(folder) === "subagents" ? basename(dirname(folder)) : name
    return ["claude", "--resume", works]
  },
}

/** Qwen Code's sub-agents write lines with the same fields, and messages in parts. */
function hasParts(row: JsonObject): boolean {
  return objectField(row, "message")?.parts !== undefined
}

/** The fields of lines that name a session, and of those with the last or first prompt. */
const [NAMES, ASKS] = [
  ["-title", "summary"],
  ["last-prompt", '"type":"user"'],
]

function* linesOf({ head, tail }: GlanceInput, holding?: readonly string[]): Generator<JsonObject> {
  yield* eachLine(head, holding)
  yield* eachLine(tail, holding)
}

/** Yields the same lines, and adds each to `noted` as it is consumed. */
function* noting(lines: Iterable<JsonObject>, noted: JsonObject[]): Generator<JsonObject> {
  for (const line of lines) {
    noted.push(line)
    yield line
  }
}

/** How a line of the tree begins. */
const ROW = /^\{"parentUuid":(?:null|"[^"]{1,64}"),"isSidechain":(?:true|false),/m

/**
 * The most specific name or, as in the program's own list, the last prompt, otherwise the first. `opening`: the first
 * lines, which are already parsed and usually include a prompt.
 */
function titleAmong(look: GlanceInput, opening: readonly JsonObject[]): string | undefined {
  const titles = [...linesOf(look, NAMES)].flatMap((line) => titleIn(line) ?? [])
  const best = Math.max(0, ...titles.map(({ rank }) => rank))
  const title = titles.findLast(({ rank }) => rank === best)?.text
  return title ?? firstTold(opening, promptText) ?? firstTold(linesOf(look, ASKS), promptText)
}

function promptText(line: JsonObject): string | undefined {
  if (line.type === "last-prompt") return textField(line, "lastPrompt")
  const { origin, turn } = line.type === "user" ? classify(line) : {}
  if (origin !== "prompt" && turn !== true) return undefined
  const content = partsOf(objectField(line, "message")?.content)
  return displayOf(content, origin ?? "prompt") ?? plainText(content)
}
