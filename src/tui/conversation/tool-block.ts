// A call of a tool: one line, which grows into its output or into the diff it makes.
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import type { FileMoved } from "../../protocol/shapes.ts"
import type { Theme } from "../terminal/theme.ts"
import type { Block } from "./block.ts"
import type { Folded } from "./folded.ts"
import { patchLines } from "./patch-lines.ts"

export interface ToolCall {
  name: string
  title: string
  diff?: string | undefined
}

export interface ToolEnd {
  output: string
  error: boolean
  files?: readonly FileMoved[]
  /** How long it took, in milliseconds, where that is known. */
  took?: number
}

export interface ToolBlock extends Block {
  /** Output while it runs. */
  output(text: string): void
  end(result: ToolEnd): void
  /** How it is going, beside the title. */
  status(text: string): void
  /** It waits for a yes. */
  wait(waiting: boolean): void
  readonly waiting: boolean
}

const TAIL = 5
const MOST_OUTPUT = 6
/** Of folded output: what it starts with, and more of how it ends. */
const FIRST = 2
const MOST_DIFF = 24
const MOST_LIVE = 20_000

export function toolBlock(theme: Theme, folded: Folded, call: ToolCall): ToolBlock {
  const name = sanitiseLine(call.name)
  const { how, title } = titleOf(name, sanitiseLine(call.title))
  let running = ""
  let status = ""
  let state: "runs" | "waits" | "ended" | "given" = "runs"
  let result: ToolEnd | undefined

  function head(width: number): string {
    const glyph = result === undefined ? theme.warning("●") : result.error ? theme.bad("✗") : theme.good("✓")
    const tail = result === undefined ? (state === "waits" ? "waits for you" : status) : endWords(result)
    const room = width - 3 - widthOf(name + how) - (tail === "" ? 0 : widthOf(tail) + 3)
    const shown = room > 3 ? clip(title, room) : ""
    const called = `${theme.strong(name)}${how}${shown === "" ? "" : ` ${shown}`}`
    return `${glyph} ${called}${tail === "" ? "" : theme.quiet(` · ${tail}`)}`
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
    if (lines.length > most || ended.output.length > most * width) folded.add(`${name} ${title}`, text)
    if (most === 0) return []
    return bounded(lines, most, width, (line) => (ended.error ? theme.bad(line) : theme.quiet(line)))
  }

  function diffBody(diff: string, width: number): string[] {
    const lines = patchLines(diff, theme, pathOf(title))
    if (lines.length > MOST_DIFF) folded.add(`${name} ${title}`, diff)
    const painted = lines.map(({ text, paint }) => `  ${paint(clip(text, width - 2))}`)
    const left = painted.length - MOST_DIFF
    return left > 1 ? [...painted.slice(0, MOST_DIFF), more(left, width)] : painted
  }

  /** What folds keeps its end: that is where a command says how it went. */
  function bounded(lines: readonly string[], most: number, width: number, paint: (line: string) => string): string[] {
    const painted = (some: readonly string[]) =>
      some.map((line) => `  ${paint(clip(line.replaceAll("\t", "  "), width - 2))}`)
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
      return [head(width), ...body(result, width)]
    },
    live(width) {
      if (state === "given") return []
      const tail = sanitise(running).replace(/\s+$/, "").split("\n").slice(-TAIL)
      const shown = running.trim() === "" ? [] : tail.map((line) => theme.quiet(`  ${clip(line, width - 2)}`))
      return [head(width), ...shown]
    },
    finish() {
      if (result === undefined) result = { output: "interrupted", error: true }
      if (state !== "given") state = "ended"
    },
  }
}

/** Their output is for the model; the person sees how much it was. */
const QUIET: ReadonlySet<string> = new Set(["Read", "Glob", "Grep", "Task"])

/** Some titles start with the tool's own name, and with how it is called: "Bash, in the background: npm start". */
function titleOf(name: string, title: string): { how: string; title: string } {
  const rest = title.toLowerCase().startsWith(name.toLowerCase()) ? title.slice(name.length) : undefined
  const said = /^(, [^:]+)?(?:$|:$|:?\s+(.*)$)/.exec(rest ?? "-")
  return said === null ? { how: "", title } : { how: said[1] === undefined ? "" : `${said[1]}:`, title: said[2] ?? "" }
}

/** A title may say more than the path. */
function pathOf(title: string): string {
  return title.split(/\s/).find((word) => word.includes(".")) ?? title
}

/** Nothing for what nobody waits for. */
function tookWords(took: number | undefined): string {
  if (took === undefined || took < 1000) return ""
  if (took < 9_950) return `${(took / 1000).toFixed(1)} s`
  const seconds = Math.round(took / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A file that the title names is not named again; that an edit modified it needs no word. */
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
