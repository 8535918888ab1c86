// A call of a tool: one line, which grows into its output or into the diff it makes.
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import type { FileMoved } from "../../protocol/shapes.ts"
import type { Theme } from "../theme.ts"
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
  const title = titleWithout(name, sanitiseLine(call.title))
  let running = ""
  let status = ""
  let state: "runs" | "waits" | "ended" | "given" = "runs"
  let result: ToolEnd | undefined

  function head(width: number): string {
    const glyph = result === undefined ? theme.warning("●") : result.error ? theme.bad("✗") : theme.good("✓")
    const tail = result === undefined ? (state === "waits" ? "waits for you" : status) : endWords(result)
    const room = width - 3 - widthOf(name) - (tail === "" ? 0 : widthOf(tail) + 3)
    const shown = room > 3 ? clip(title, room) : ""
    return `${glyph} ${theme.strong(name)}${shown === "" ? "" : ` ${shown}`}${tail === "" ? "" : theme.quiet(` · ${tail}`)}`
  }

  function endWords(ended: ToolEnd): string {
    return [told(ended), tookWords(ended.took)].filter(Boolean).join(", ")
  }

  function told(ended: ToolEnd): string {
    if (!QUIET.has(name) || ended.error) return changed(ended)
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

/** Some titles start with the tool's own name. */
function titleWithout(name: string, title: string): string {
  if (!title.toLowerCase().startsWith(name.toLowerCase())) return title
  return title.slice(name.length).replace(/^:?\s+/, "")
}

/** A title may say more than the path. */
function pathOf(title: string): string {
  return title.split(/\s/).find((word) => word.includes(".")) ?? title
}

/** Nothing for what nobody waits for. */
function tookWords(took: number | undefined): string {
  if (took === undefined || took < 1000) return ""
  const seconds = took / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function changed({ files = [] }: ToolEnd): string {
  if (files.length === 0) return ""
  const sum = (key: "added" | "removed") => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  const [added, removed] = [sum("added"), sum("removed")]
  const lines = added + removed === 0 ? "" : ` +${added} −${removed}`
  const [only] = files
  const what = files.length === 1 && only !== undefined ? `${only.change} ${only.path}` : count(files.length, "file")
  return sanitiseLine(`${what}${lines}`)
}
