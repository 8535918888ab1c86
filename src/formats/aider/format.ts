// Aider's chat history: a Markdown file in a project, which has many sessions. Nobody's folders are searched for such files.
import { createHash } from "node:crypto"
import { statSync } from "node:fs"
import { basename, dirname, isAbsolute, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import { sessionIdOf } from "../ids.ts"
import type { Format, SessionPlace } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { firstLine, isoTime, textField } from "../shared/json-line.ts"
import { type LineRules, lineFormat, type SaidLine } from "../shared/line-format.ts"
import { readHead } from "../shared/read-head.ts"

const NAME = ".aider.chat.history.md"
const BEGINS = "# aider chat started at "
const MOST = 64 * 1024 * 1024

interface Run {
  /** As its header says, with a number if another run began in the same second. */
  within: string
  at: string
  lines: string[]
}

const rules: LineRules = {
  agent: "aider",
  fields: { at: "at" },

  /** Where Aider itself is told that the file is, and copies of its sessions. */
  *find({ home, env }) {
    const path = env.AIDER_CHAT_HISTORY_FILE ?? ""
    const runs = isAbsolute(path) ? runsIn(path) : []
    yield* runs.map((run) => placeOf(path, run))
    const present = new Set(runs.map((run) => `${nameOf(path, run)}.jsonl`))
    yield* filesIn(copies(home), ".jsonl").filter((copy) => !present.has(basename(copy)))
  },

  session(first) {
    const name = textField(first, "name")
    if (first.type !== "session" || first.agent !== "aider" || name === undefined) return undefined
    return {
      name,
      key: textField(first, "key"),
      cwd: textField(first, "cwd"),
      title: textField(first, "title"),
      at: textField(first, "at"),
    }
  },

  glance(place, { head }) {
    const copy = place.within === undefined ? copiedIn(head) : undefined
    if (copy !== undefined) return { ...copy, id: sessionIdOf("aider", copy.name) }
    const run = runAt(place)
    if (run === undefined) return undefined
    const name = nameOf(place.path, run)
    const title = saidIn(run).find(({ role }) => role === "user")?.text
    return { name, id: sessionIdOf("aider", name), cwd: dirname(place.path), title, updated: run.at }
  },

  /** The last of the sessions in it. */
  detect({ path, head }) {
    if (head === undefined) return undefined
    if (copiedIn(head) !== undefined) return { path, main: path }
    const begins = head.toString("utf8").trimStart().startsWith(BEGINS)
    if (basename(path) !== NAME && !begins) return undefined
    const last = runsIn(path).at(-1)
    return last === undefined ? undefined : placeOf(path, last)
  },

  lineMarks: lineMarks([['"role":"notice"', "nobody"]]),

  load: (place) => (place.path.endsWith(".jsonl") ? undefined : () => linesAt(place)),

  classify(line): SaidLine | undefined {
    const [role, text] = [textField(line, "role"), textField(line, "text") ?? ""]
    if (line.type !== "message" || text === "") return undefined
    const content = [{ type: "text" as const, text }]
    if (role === "assistant") return { role: "assistant", origin: "agent", why: "it has no mark in front", content }
    if (role !== "user") return undefined
    if (text.startsWith("!") || text.startsWith("/run "))
      return { role: "user", origin: "shell", why: "it begins with !", content }
    if (!text.startsWith("/")) return { role: "user", origin: "prompt", why: 'it begins with "####"', content }
    const turn = /^\/(?:ask|code|architect|context|help)\s+\S/.test(text) ? { turn: true as const } : {}
    return { role: "user", origin: "command", why: "it begins with /", content, ...turn }
  },

  resume: () => ["aider", "--restore-chat-history"],
}

export const aider: Format = {
  ...lineFormat(rules),

  exported(place, { home }) {
    const run = place.within === undefined ? undefined : runAt(place)
    if (run === undefined) return undefined
    const file = join(copies(home), `${nameOf(place.path, run)}.jsonl`)
    // A session that ended is never written again.
    return { file, updated: statSync(place.path).mtimeMs, bytes: () => linesAt(place) }
  },
}

/** Where copies are, as lines. Aider itself has no such folder. */
function copies(home: string): string {
  return join(home, ".aider", "exported")
}

function copiedIn(head: Buffer): { name: string; cwd: string | undefined; title: string | undefined } | undefined {
  const first = firstLine(head)
  const name = first?.type === "session" && first.agent === "aider" ? textField(first, "name") : undefined
  return name === undefined ? undefined : { name, cwd: textField(first, "cwd"), title: textField(first, "title") }
}

function placeOf(path: string, { within }: Run): SessionPlace {
  return { path, main: path, within }
}

function nameOf(path: string, { within }: Run): string {
  const file = createHash("sha256").update(path).digest("hex").slice(0, 8)
  return `${within.replaceAll(/[^0-9]+/g, "-")}-${file}`
}

function runsIn(path: string): Run[] {
  const runs: Run[] = []
  const seen = new Map<string, number>()
  for (const line of readHead(path, MOST).toString("utf8").split(/\r?\n/)) {
    if (!line.startsWith(BEGINS)) {
      runs.at(-1)?.lines.push(line)
      continue
    }
    const started = line.slice(BEGINS.length).trim()
    const times = (seen.get(started) ?? 0) + 1
    seen.set(started, times)
    // Local time, without a zone.
    const at = isoTime(Date.parse(started.replace(" ", "T")))
    runs.push({ within: times === 1 ? started : `${started} ${times}`, at, lines: [] })
  }
  return runs
}

function runAt({ path, within }: SessionPlace): Run | undefined {
  const runs = runsIn(path)
  return within === undefined ? runs.at(-1) : runs.find((run) => run.within === within)
}

type Said = { role: "user" | "assistant" | "notice"; text: string }

/** Lines that follow each other and have the same mark are one message. */
function saidIn({ lines }: Run): Said[] {
  const found: Said[] = []
  for (const line of lines) {
    const role = /^####(?: |$)/.test(line) ? "user" : /^>(?: |$)/.test(line) ? "notice" : "assistant"
    const last = found.at(-1)
    const text = role === "assistant" ? line : line.replace(/^(?:####|>) ?/, "").trimEnd()
    // An empty line belongs to whatever was before it.
    if (line === "" && last !== undefined) last.text += "\n"
    else if (last?.role === role) last.text += `\n${text}`
    else found.push({ role, text })
  }
  const said = found.map(({ role, text }) => ({ role, text: text.trim().replaceAll(/\n{3,}/g, "\n\n") }))
  return said.filter(({ text }) => text !== "")
}

function linesAt(place: SessionPlace): Buffer {
  const run = runAt(place)
  if (run === undefined) return Buffer.from("the session is no longer in the file\n")
  const { at } = run
  const messages = saidIn(run).map((said): JsonObject => ({ type: "message", at, ...said }))
  const title = messages.find(({ role }) => role === "user")?.text ?? null
  const session = {
    type: "session",
    agent: "aider",
    key: run.within,
    name: nameOf(place.path, run),
    cwd: dirname(place.path),
    at,
    title,
  }
  return Buffer.from([session, ...messages].map((line) => `${JSON.stringify(line)}\n`).join(""))
}
