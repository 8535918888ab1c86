// The kit for a format of one file per session, each line of it a JSON object: its rules say where the files are, and what a line is.
// An agent that goes back, compacts, or can be written for has a scanner of its own.
import { entryId, NONE } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { isEntryKind, type Part, plainText } from "../../model/record/record.ts"
import { madeWords, sessionIdOf, uuidWords } from "../ids.ts"
import type { AgentHomes, AgentName, Format, Opened, Scanner, SessionPlace, Sink } from "../port.ts"
import { eachLine, firstLine, firstTold, isoTime, millis, parseLine, textField } from "./json-line.ts"
import type { MessageAuthor } from "./message-author.ts"
import { readHead } from "./read-head.ts"
import { sessionHeader } from "./session-header.ts"

export interface LineRules {
  agent: AgentName
  /** The files. Contract: as for `Format.find`. */
  find(homes: AgentHomes): Iterable<string>
  /** What the first line of a file says; undefined if it is not a session of this agent. */
  session(first: JsonObject): { name: string; cwd: string | undefined } | undefined
  /** Who said a line, how that is known, and its content. Undefined for a line that is no message. Contract: pure. */
  classify(line: JsonObject): (MessageAuthor & { content: Part[] }) | undefined
  /** The fields with a line's time, its UUID and that of the line before it. Without `parent`, each line follows the last. */
  fields: { at: string; id?: string; parent?: string }
  resume(name: string): string[]
}

export function lineFormat(rules: LineRules): Format {
  const place = (path: string): SessionPlace => ({ path, main: path })
  const sessionIn = (head: Buffer | undefined) => {
    const first = head === undefined ? undefined : firstLine(head)
    return first === undefined ? undefined : rules.session(first)
  }
  return {
    agent: rules.agent,
    *find(homes) {
      for (const path of rules.find(homes)) yield place(path)
    },
    glance(_, { head }) {
      const session = sessionIn(head)
      if (session === undefined) return undefined
      const title = firstTold(eachLine(head), (line) => {
        const said = rules.classify(line)
        return said?.origin === "prompt" ? plainText(said.content) : undefined
      })
      return { ...session, id: sessionIdOf(rules.agent, session.name), title }
    },
    detect: ({ path, head }) => (sessionIn(head) === undefined ? undefined : place(path)),
    async open({ path }) {
      const first = firstLine(readHead(path))
      const session = first === undefined ? undefined : rules.session(first)
      if (first !== undefined && session !== undefined) return openLines(rules, path, first, session)
      throw new RetconError({ code: "not-a-session", path, problem: `line 1 is not one of ${rules.agent}` })
    },
    resume: (_, name) => rules.resume(name),
  }
}

function openLines(
  rules: LineRules,
  path: string,
  first: JsonObject,
  session: { name: string; cwd?: string | undefined },
): Opened {
  const { agent, fields } = rules
  const id = sessionIdOf(agent, session.name)
  return {
    id,
    name: session.name,
    header: sessionHeader(agent, { id, at: isoTime(first[fields.at]), cwd: session.cwd }),
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink) => lineScanner(rules, session.name, sink),
    record(row, bytes, { history }) {
      const line = parseLine(bytes)
      if (line === undefined) return undefined
      const at = isoTime(line[fields.at])
      const base = { id: history.id(row) as EntryId, at, parent: entryId(history, history.parent(row)) }
      const said = rules.classify(line)
      if (said === undefined) return { ...base, type: "unknown-entry", was: textField(line, "type") ?? "", agent }
      const { why: _, ...message } = said
      return { ...base, type: "message", ...message }
    },
    why: (_, bytes) => rules.classify(parseLine(bytes) ?? {})?.why ?? "it is no message",
    holder: () => "unknown",
  }
}

function lineScanner(rules: LineRules, session: string, sink: Sink): Scanner {
  const { agent, fields } = rules
  const words = (value: Json | undefined) => (typeof value === "string" ? uuidWords(value) : undefined)
  return {
    state: () => null,
    head: () => undefined,
    line(bytes, start, end, span) {
      const line = parseLine(bytes, start, end)
      if (line === undefined) {
        sink.damaged(span)
        return
      }
      const { rows } = sink
      const made = () => madeWords(millis(line[fields.at]), `${agent} ${session} ${span.offset}`)
      const id = words(fields.id === undefined ? undefined : line[fields.id]) ?? made()
      const known = rows.rowOfWords(id)
      if (known !== NONE) {
        if (isEntryKind(rows.kind(known))) sink.amend(known, span)
        else sink.damaged(span)
        return
      }
      const named = words(fields.parent === undefined ? undefined : line[fields.parent])
      const parent = named === undefined ? rows.head : rows.rowOfWords(named)
      const { role, origin, turn } = rules.classify(line) ?? {}
      const who = { ...(role && { role }), ...(origin && { origin }), ...(turn && { turn }) }
      sink.entry({
        id,
        parent,
        lost: named !== undefined && parent === NONE,
        kind: role ? "message" : "other",
        ...who,
        span,
      })
    },
  }
}
