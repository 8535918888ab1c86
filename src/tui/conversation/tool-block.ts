// A tool call: one line, which grows into its output or its diff.
import type { MovedFile } from "../../model/move/moved.ts"
import { count } from "../../model/text/amounts.ts"
import { clip, sanitise, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { Theme } from "../terminal/theme.ts"
import { hardWrap } from "../text/hard-wrap.ts"
import type { Block, FoldedTexts } from "./block.ts"
import { patchLines } from "./patch-lines.ts"

export interface ToolCall {
  name: string
  title: string
  diff?: string | undefined
}

export interface ToolEnd {
  output: string
  error: boolean
  files?: readonly MovedFile[]
  /** How long it took, in milliseconds, if known. */
  took?: number
}

export interface ToolBlock extends Block {
  /** Output while it runs. */
  output(text: string): void
  end(result: ToolEnd): void
  /** Its progress, beside the title. */
  status(text: string): void
  /** Whether it waits for approval. */
  wait(waiting: boolean): void
  readonly waiting: boolean
}

const TAIL = 5
const MOST_OUTPUT = 6
/** How many of the lines shown of folded output are from its beginning; the others are from its end. */
const FIRST = 2
const MOST_DIFF = 24
const MOST_LIVE = 20_000
/** How many screen rows a command may take, and a line of its output or of a diff. */
const MOST_TITLE = 3
const MOST_ROWS = { output: 2, diff: 3 } as const

export function toolBlock(theme: Theme, folded: FoldedTexts, call: ToolCall): ToolBlock {
  const name = sanitiseLine(call.name)
  const { how, title } = titleOf(name, sanitiseLine(call.title))
  let running = ""
  let status = ""
  let state: "runs" | "waits" | "ended" | "given" = "runs"
  let result: ToolEnd | undefined

  /** Once it has ended, a title longer than a row continues below. */
  function head(width: number): string[] {
    const glyph = result === undefined ? theme.warning("●") : result.error ? theme.bad("✗") : theme.good("✓")
    const tail = result === undefined ? (state === "waits" ? "waiting for you" : status) : endWords(result)
    const called = `${glyph} ${theme.strong(name)}${how}`
    const end = tail === "" ? "" : theme.quiet(` · ${tail}`)
    const used = 3 + widthOf(name + how)
    const room = width - used - (tail === "" ? 0 : widthOf(tail) + 3)
    const whole = widthOf(title) <= room
    if (result === undefined || whole || width - used < 20) {
      const shown = room > 3 ? clip(title, room) : ""
      return [`${called}${shown === "" ? "" : ` ${shown}`}${end}`]
    }
    const [first = "", ...more] = rowsOf(title, width - used, MOST_TITLE)
    const rows = [`${called} ${first}`, ...more.map((row) => " ".repeat(used) + row)]
    const fits = used + widthOf(more.at(-1) ?? first) + widthOf(tail) + 3 <= width
    if (fits) return [...rows.slice(0, -1), `${rows.at(-1) ?? ""}${end}`]
    return tail === "" ? rows : [...rows, `${" ".repeat(used)}${theme.quiet(clip(tail, width - used))}`]
  }

  function endWords(ended: ToolEnd): string {
    return [told(ended), tookWords(ended.took)].filter(Boolean).join(", ")
  }

  function told(ended: ToolEnd): string {
    if (!QUIET.has(name) || ended.error) return changed(ended, title)
    return count(ended.output.replace(/\n$/, "").split("\n").length, "line")
  }

  function body(ended: ToolEnd, width: number): string[] {
    if (call.diff !== undefined && call.diff !== "" && !ended.error) return diffBody(call.diff, width)
    const text = sanitise(ended.output).replace(/\s+$/, "")
    if (text === "") return []
    const lines = text.split("\n")
    const most = QUIET.has(name) && !ended.error ? 0 : MOST_OUTPUT
    const shown =
      most === 0 ? [] : bounded(lines, most, width, (line) => (ended.error ? theme.bad(line) : theme.quiet(line)))
    if (lines.length > most || shown.some((row) => row.includes("…"))) folded.add(`${name} ${title}`, text)
    return shown
  }

  function diffBody(diff: string, width: number): string[] {
    const lines = patchLines(diff, theme, pathOf(title))
    const shown: string[] = []
    let taken = 0
    for (const { text, gutter, paint } of lines) {
      const rows = rowsOf(text.slice(gutter), width - 2 - gutter, MOST_ROWS.diff)
      if (shown.length + rows.length > MOST_DIFF && taken < lines.length - 1) break
      shown.push(...rows.map((row, i) => `  ${paint((i === 0 ? text.slice(0, gutter) : " ".repeat(gutter)) + row)}`))
      taken++
    }
    if (taken < lines.length || shown.some((row) => row.includes("…"))) folded.add(`${name} ${title}`, diff)
    return taken < lines.length ? [...shown, more(lines.length - taken, width)] : shown
  }

  /** Folded output keeps its end, where a command says how it went. */
  function bounded(lines: readonly string[], most: number, width: number, paint: (line: string) => string): string[] {
    const painted = (some: readonly string[]) =>
      some.flatMap((line) => rowsOf(line, width - 2, MOST_ROWS.output).map((row) => `  ${paint(row)}`))
    const left = lines.length - most
    if (left <= 1) return painted(lines)
    return [...painted(lines.slice(0, FIRST)), more(left, width), ...painted(lines.slice(FIRST - most))]
  }

  function more(left: number, width: number): string {
    return theme.quiet(clip(`  … ${count(left, "more line")} (${folded.key})`, width))
  }

  return {
    kind: "tool",
    get done() {
      return state === "given"
    },
    output(text) {
      running = (running + text).slice(-MOST_LIVE)
    },
    status(text) {
      status = sanitiseLine(text)
    },
    wait(waiting) {
      if (result === undefined) state = waiting ? "waits" : "runs"
    },
    get waiting() {
      return state === "waits"
    },
    end(ended) {
      result = ended
      state = "ended"
    },
    settle(width) {
      if (state !== "ended" || result === undefined) return []
      state = "given"
      return [...head(width), ...body(result, width)]
    },
    live(width) {
      if (state === "given") return []
      const tail = sanitise(running).replace(/\s+$/, "").split("\n").slice(-TAIL)
      const shown = running.trim() === "" ? [] : tail.map((line) => theme.quiet(`  ${clip(line, width - 2)}`))
      return [...head(width), ...shown]
    },
    finish() {
      if (result === undefined) result = { output: "interrupted", error: true }
      if (state !== "given") state = "ended"
    },
  }
}

/** A line as screen rows; if there are more than `most`, the last ends with …. */
function rowsOf(line: string, width: number, most: number): string[] {
  const rows = hardWrap(line.slice(0, width * (most + 1)).replaceAll("\t", "  "), width).map((row) => row.trimEnd())
  const cut = rows.length > most || line.length > width * (most + 1)
  const last = rows[most - 1] ?? ""
  return cut ? [...rows.slice(0, most - 1), widthOf(last) < width ? `${last}…` : clip(`${last}…`, width)] : rows
}

/** Their output is for the model; the person only sees how much it was. */
const QUIET: ReadonlySet<string> = new Set(["Read", "Glob", "Grep", "Task"])

/** Some titles start with the tool's own name and how it is called: "Bash, in the background: npm start". */
function titleOf(name: string, title: string): { how: string; title: string } {
  const rest = title.toLowerCase().startsWith(name.toLowerCase()) ? title.slice(name.length) : undefined
  const said = /^(, [^:]+)?(?:$|:$|:?\s+(.*)$)/.exec(rest ?? "-")
  return said === null ? { how: "", title } : { how: said[1] === undefined ? "" : `${said[1]}:`, title: said[2] ?? "" }
}

/** A title may say more than the path. */
function pathOf(title: string): string {
  return title.split(/\s/).find((word) => word.includes(".")) ?? title
}

/** Empty if it took hardly any time. */
function tookWords(took: number | undefined): string {
  if (took === undefined || took < 1000) return ""
  if (took < 9_950) return `${(took / 1000).toFixed(1)} s`
  const seconds = Math.round(took / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Does not repeat a file that the title names; that an edit modified it goes without saying. */
function changed({ files = [] }: ToolEnd, title: string): string {
  const [only] = files
  if (only === undefined) return ""
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  const [added, removed] = [sum("added"), sum("removed")]
  const lines = added + removed === 0 ? [] : [`+${added} −${removed}`]
  const what = files.length > 1 ? count(files.length, "file") : `${only.change} ${only.path}`
  const named = files.length === 1 && only.path === title
  const change = named ? (NAMED_CHANGES[only.change] ?? only.change) : what
  return sanitiseLine([...(change === "" ? [] : [change]), ...lines].join(" "))
}

const NAMED_CHANGES: Readonly<Record<string, string>> = { added: "new file", modified: "" }
