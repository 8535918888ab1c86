// The kit for a format whose sessions are lines, each a JSON object, or can be read as such: its rules say where the files are, and what
// a line is. An agent that goes back, or can be written for, has a scanner of its own.
import type { Rows } from "../../history/rows/rows.ts"
import { entryId, NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { isEntryKind, KIND, type LogRecord, type Part, plainText, type Usage } from "../../model/record/record.ts"
import { madeWords, sessionIdOf, uuidWords } from "../ids.ts"
import type {
  AgentHomes,
  AgentName,
  Format,
  Glance,
  GlanceInput,
  Opened,
  Reading,
  Scanner,
  SessionPlace,
  Sink,
  Source,
} from "../port.ts"
import {
  eachLine,
  firstLine,
  firstTold,
  isoTime,
  millis,
  numberField,
  objectField,
  parseLine,
  textField,
} from "./json-line.ts"
import type { MessageAuthor } from "./message-author.ts"
import { moveRecord } from "./move-record.ts"
import { readHead } from "./read-head.ts"
import { sessionHeader, splitFrom, taskOf } from "./session-header.ts"

/** A message; or, with `summary`, a compaction: what the model gets instead of everything before it. */
export interface SaidLine extends MessageAuthor {
  content: Part[]
  /** What the person typed, if more was sent. */
  display?: string | undefined
  model?: string | undefined
  usage?: Usage | undefined
  /** It is not sent again. */
  dropped?: true | undefined
  summary?: true | undefined
}

/** What the first line says of its session. */
export interface LineSession {
  name: string
  /** For the ids of lines that have none, if the name depends on where the file is. */
  key?: string | undefined
  cwd?: string | undefined
  title?: string | undefined
  /** When it was created, if not at the time of the first line. */
  at?: string | undefined
  version?: string | undefined
  from?: Glance["from"] | undefined
}

export interface LineRules extends Partial<Pick<Format, "lineMarks" | "requestMarks" | "requests">> {
  agent: AgentName
  /** The files. Contract: as for `Format.find`. */
  find(homes: AgentHomes): Iterable<string | SessionPlace>
  /** Undefined if it is not a session of this agent. */
  session(first: JsonObject, place: SessionPlace): LineSession | undefined
  /** Undefined for a line that is no message. Contract: pure. */
  classify(line: JsonObject): SaidLine | undefined
  /** The fields with a line's time, its UUID and that of the line before it. Without `parent`, each line follows the last. */
  fields: { at: string; id?: string; parent?: string }
  /** Its usage, if that is on the line before it. */
  usageBefore?(before: JsonObject): Usage | undefined
  /** Whose words a line is, if not of the conversation itself but of a sub-agent's in the same file. */
  asideOf?(line: JsonObject): string | undefined
  /** The title that a line gives the session; empty: it has none. */
  title?(line: JsonObject): string | undefined
  resume(name: string, place: SessionPlace): string[]
  /** What a list shows, if that is not in the first bytes of the lines. */
  glance?: Format["glance"]
  /** Recognises a session, if its first bytes are no line. */
  detect?: Format["detect"]
  /** The files besides the main one: see `CopyKeeping`. */
  files?(place: SessionPlace): Iterable<string>
  /**
   * For a session that is no file of lines: what makes some of it, the first of them for `session`. Contract: as for `Source.load`. Lines
   * get ids by their number, so that a longer title in the first of them changes no ids.
   */
  load?(place: SessionPlace): (() => Buffer) | undefined
  /** Files whose changes change what `load` returns, besides the session's. */
  beside?(place: SessionPlace): string[]
  opened?(place: SessionPlace, session: LineSession): Partial<Opened>
}

export function lineFormat(rules: LineRules): Format {
  const place = (path: string): SessionPlace => ({ path, main: path })
  const sessionIn = (head: Buffer | undefined, at: SessionPlace) => {
    const first = head === undefined ? undefined : firstLine(head)
    return first === undefined ? undefined : rules.session(first, at)
  }
  return {
    agent: rules.agent,
    *find(homes) {
      for (const found of rules.find(homes)) yield typeof found === "string" ? place(found) : found
    },
    glance: rules.glance ?? ((at, look) => glanceOf(rules, sessionIn(look.head, at), look)),
    detect:
      rules.detect ?? (({ path, head }) => (sessionIn(head, place(path)) === undefined ? undefined : place(path))),
    async open(at) {
      const first = firstLine(rules.load?.(at)?.() ?? readHead(at.main))
      const session = first === undefined ? undefined : rules.session(first, at)
      if (first !== undefined && session !== undefined) return openLines(rules, at, first, session)
      const problem = `${rules.load === undefined ? "line 1 is not one" : "it is not a session"} of ${rules.agent}`
      throw new RetconError({ code: "not-a-session", path: at.path, problem })
    },
    resume: (at, name) => rules.resume(name, at),
    ...(rules.lineMarks !== undefined && { lineMarks: rules.lineMarks }),
    ...(rules.requests !== undefined && { requestMarks: rules.requestMarks ?? [], requests: rules.requests }),
    ...(rules.files !== undefined && { files: (at: SessionPlace) => rules.files?.(at) ?? [] }),
  }
}

function glanceOf(rules: LineRules, session: LineSession | undefined, { head, tail }: GlanceInput): Glance | undefined {
  if (session === undefined) return undefined
  const { name, cwd, from } = session
  const titles = [head, tail].flatMap((piece) => [...eachLine(piece)].flatMap((line) => rules.title?.(line) ?? []))
  const title = titles.findLast((text) => text !== "") ?? session.title ?? firstTold(eachLine(head), firstPrompt(rules))
  return { name, cwd, id: sessionIdOf(rules.agent, name), title, ...(from !== undefined && { from }) }
}

/** What the person typed first. */
export function firstPrompt(rules: Pick<LineRules, "classify">): (line: JsonObject) => string | undefined {
  return (line) => {
    const said = rules.classify(line)
    return said?.origin === "prompt" ? (said.display ?? plainText(said.content)) : undefined
  }
}

function openLines(rules: LineRules, place: SessionPlace, first: JsonObject, session: LineSession): Opened {
  const { agent, fields } = rules
  const { name, cwd, version, from } = session
  const id = sessionIdOf(agent, name)
  const source = { number: 0, file: place.main, how: "grows" } as const
  const sources = (): Source[] => {
    const load = rules.load?.(place)
    if (load === undefined) return [source]
    // Any change may change any line. What is beside it has no lines of its own.
    const beside = (rules.beside?.(place) ?? []).map(
      (file, n): Source => ({ number: n + 1, file, how: "rewritten", load: () => Buffer.alloc(0) }),
    )
    return [...beside, { ...source, how: "rewritten", load }]
  }
  const origin = from === undefined ? undefined : sessionIdOf(agent, from.name)
  return {
    id,
    name,
    header: sessionHeader(agent, {
      id,
      at: session.at ?? isoTime(first[fields.at]),
      cwd,
      version,
      from: origin && (from?.as === "task" ? taskOf(origin) : splitFrom(origin)),
    }),
    sources,
    scanner: (sink, state) => lineScanner(rules, session.key ?? name, sink, state),
    record: (row, bytes, reading) => recordOf(rules, row, bytes, reading),
    why: (_, bytes) => rules.classify(parseLine(bytes) ?? {})?.why ?? "it is no message",
    holder: () => "unknown",
    ...rules.opened?.(place, session),
  }
}

function recordOf(rules: LineRules, row: Row, bytes: Buffer, { history, read }: Reading): LogRecord | undefined {
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const at = isoTime(line[rules.fields.at])
  const id = history.id(row)
  if (history.kind(row) === KIND.operation) return moveRecord(history, row, at)
  if (history.kind(row) === KIND.config)
    return { id, type: "config", at, key: "title", value: rules.title?.(line) || null }
  const base = { id: id as EntryId, at, parent: entryId(history, history.parent(row)) }
  const said = rules.classify(line)
  if (said === undefined) {
    return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent: rules.agent }
  }
  const { role, origin, turn, content, display, model, dropped, summary } = said
  const before = history.parent(row)
  const told = role === "assistant" && before !== NONE ? rules.usageBefore?.(parseLine(read(before)) ?? {}) : undefined
  const usage = said.usage ?? told
  if (summary === true) {
    const as = [{ role: "user" as const, content }]
    return {
      ...base,
      type: "compaction",
      summary: plainText(content),
      prompts: [],
      keepFrom: null,
      cause: "threshold",
      as,
    }
  }
  return {
    ...base,
    type: "message",
    role,
    origin,
    content,
    ...(turn !== undefined && { turn }),
    ...(display !== undefined && { display }),
    ...(model !== undefined && { model }),
    ...(usage !== undefined && { usage }),
    ...(dropped !== undefined && { dropped }),
  }
}

function lineScanner(rules: LineRules, session: string, sink: Sink, state: Json | undefined): Scanner {
  const { agent, fields } = rules
  /** The last line of each conversation beside the main one. */
  const asides: { [name: string]: Row } = {}
  for (const [name, row] of Object.entries(objectField(state, "asides") ?? {}))
    if (typeof row === "number") asides[name] = row
  let lines = numberField(state, "lines") ?? 0
  const words = (value: Json | undefined) => (typeof value === "string" ? uuidWords(value) : undefined)
  return {
    state: () => ({ asides: { ...asides }, lines }),
    head: () => undefined,
    line(bytes, start, end, span) {
      const line = parseLine(bytes, start, end)
      const place = rules.load === undefined ? span.offset : `line ${lines++}`
      if (line === undefined) {
        sink.damaged(span)
        return
      }
      const { rows } = sink
      const made = (use = "") => madeWords(millis(line[fields.at]), `${agent} ${session} ${place}${use}`)
      const id = words(fields.id === undefined ? undefined : line[fields.id]) ?? made()
      const known = rows.rowOfWords(id)
      if (known !== NONE) {
        if (isEntryKind(rows.kind(known))) sink.amend(known, span)
        else sink.damaged(span)
        return
      }
      const aside = rules.asideOf?.(line)
      const named = words(fields.parent === undefined ? undefined : line[fields.parent])
      const last = (aside === undefined ? undefined : asides[aside]) ?? rows.head
      const parent = named === undefined ? last : follows(rows, rows.rowOfWords(named))
      const { role, origin, turn, summary } = rules.classify(line) ?? {}
      const who = { ...(role && { role }), ...(origin && { origin }), ...(turn && { turn }) }
      const kind = role === undefined ? "other" : "message"
      const lost = named !== undefined && parent === NONE
      // The person went back, and the agent keeps no record of that.
      const moves = !lost && aside === undefined && parent !== rows.head
      if (moves) sink.move({ id: made(" move"), to: parent, span })
      const what = summary === true ? ({ kind: "compaction" } as const) : ({ kind, ...who } as const)
      const row = sink.entry({ id, parent, lost, span, ...what, ...(aside !== undefined && { movesHead: false }) })
      if (aside !== undefined) asides[aside] = row
      if (rules.title?.(line) !== undefined) sink.aside({ id: made(" title"), kind: "config", span })
    },
  }
}

/** The head, if nothing was said since an entry: lines between two messages may have no ids. */
function follows(rows: Rows, named: Row): Row {
  if (named === NONE) return NONE
  let row = rows.head
  while (row !== NONE && row !== named && rows.kind(row) === KIND.unknownEntry) row = rows.parent(row)
  return row === named ? rows.head : named
}
