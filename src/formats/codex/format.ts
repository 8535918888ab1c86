// Codex's sessions: a thread is one file, or several that each continue a part of another.
import { join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import { plainText } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { eachLine, firstLine, firstTold, linesIn, objectField, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { cannotUnpack, compressedGlance, isCompressed } from "./compressed.ts"
import { displayOf } from "./display.ts"
import { headerInPart, readHeader } from "./header.ts"
import { partsOf } from "./item.ts"
import { lineageOf } from "./lineage.ts"
import { isAsked } from "./origin.ts"
import { CODEX_MARKS, codexRequests } from "./requests.ts"
import { codexHome, homeOf, threadsIn } from "./rollouts.ts"

export const codex: Format = {
  agent: "codex",
  lineMarks: lineMarks([
    ['"type":"session_meta"', "nobody"],
    ['"type":"token_count"', "nobody"],
    ['"type":"turn_context"', "other"],
    ['_output"', "result"],
    ['_end"', "result"],
    ['_call"', "call"],
    ['"type":"reasoning"', "thinking"],
    ['"type":"agent_reasoning"', "thinking"],
    ["<environment_context>", "other"],
    ["<user_instructions>", "other"],
    ["# AGENTS.md", "other"],
    ['"role":"developer"', "other"],
    ['"type":"user_message"', "you"],
    ['"type":"agent_message"', "agent"],
  ]),

  *find(homes: AgentHomes): Iterable<SessionPlace> {
    const { threads, compressed } = threadsIn(codexHome(homes))
    for (const files of threads.values()) {
      const [first, last] = [files[0], files.at(-1)]
      if (first !== undefined && last !== undefined) yield { path: first.path, main: last.path }
    }
    for (const { path } of compressed) yield { path, main: path }
  },

  glance(place, look: GlanceInput): Glance | undefined {
    if (isCompressed(place.path, look.head)) return compressedGlance(place)
    const header = headerInPart(look.head)
    if (header === undefined) return undefined
    const { thread, cwd, parent, forkedFrom } = header
    const from = parent ?? forkedFrom
    return {
      name: thread,
      id: sessionIdOf("codex", thread),
      cwd,
      // The first prompt comes after instructions that may be longer than these bytes.
      title:
        nameIn([look.head, look.tail].flatMap((piece) => linesIn(piece, [NAMED]))) ??
        nameInIndex(place, thread, look) ??
        firstTold(eachLine(look.read(place.path) ?? look.head, ["response_item"]), promptIn),
      ...(from !== undefined && {
        from: { name: from, as: parent === undefined ? ("split" as const) : ("task" as const) },
      }),
    }
  },

  detect({ path, head }): SessionPlace | undefined {
    if (head === undefined || (!isCompressed(path, head) && headerInPart(head) === undefined)) return undefined
    return { path, main: path }
  },

  async open(place) {
    if (isCompressed(place.path, readHead(place.path, 16))) throw cannotUnpack(place.path)
    return (await import("./open.ts")).openCodex(place)
  },

  /** All files of the thread, those of the threads it was forked from, and the file with the names of threads. */
  *files({ path, main }): Iterable<string> {
    const home = homeOf(path)
    if (home !== undefined) yield join(home, "session_index.jsonl")
    if (path === main && readHeader(path)?.base === undefined) return
    for (const file of lineageOf(path) ?? []) yield file.path
  },

  requestMarks: CODEX_MARKS,

  requests: codexRequests,

  folders: (homes) => [codexHome(homes)],

  resume: (_, name) => ["codex", "resume", name],

  write: async (request) => (await import("./write.ts")).writeCodex(request),
}

const NAMED = "thread_name_updated"

function nameIn(lines: readonly JsonObject[]): string | undefined {
  const named = lines.map(payloadOf).findLast((event) => event?.type === NAMED)
  return textField(named, "thread_name")
}

/** A person's own titles are in a file beside the sessions. The last line for a thread counts. */
function nameInIndex({ path }: SessionPlace, thread: string, look: GlanceInput): string | undefined {
  const home = homeOf(path)
  const index = home === undefined ? undefined : look.read(join(home, "session_index.jsonl"))
  const at = index?.lastIndexOf(`"${thread}"`) ?? -1
  if (index === undefined || at === -1) return undefined
  const end = index.indexOf("\n", at)
  const line = firstLine(index.subarray(index.lastIndexOf("\n", at) + 1, end === -1 ? index.length : end))
  return line?.id === thread ? textField(line, "thread_name") : undefined
}

function promptIn(line: JsonObject): string | undefined {
  const item = line.type === "response_item" ? payloadOf(line) : undefined
  return item === undefined || !isAsked(item) ? undefined : (displayOf(item) ?? plainText(partsOf(item)))
}

function payloadOf(line: JsonObject): JsonObject | undefined {
  return objectField(line, "payload")
}
