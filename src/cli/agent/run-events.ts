// What `retcon run` prints: the answer's text, or every event as a line of JSON.
import { count } from "../../model/text/amounts.ts"
import { clip, sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import { EVENT_VERSION, type HostEvent } from "../../protocol/event.ts"
import { sandboxWarning } from "../../protocol/sandbox-words.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import type { Cli } from "../port/cli.ts"
import { styleFor } from "../render/style.ts"

export function printEvents(cli: Pick<Cli, "out" | "err">, json: boolean): (event: HostEvent) => void {
  if (json) {
    let first = true
    return (event) => {
      if (event.type === "status") return
      cli.out.write(`${JSON.stringify(first ? { ...event, version: EVENT_VERSION } : event)}\n`)
      first = false
    }
  }
  const style = styleFor(cli.err)
  const tell = (text: string) => cli.err.write(`${style.quiet(clip(sanitiseLine(text), cli.err.width))}\n`)
  let midLine = false
  let waiting: string[] = []
  const say = (text: string) => {
    cli.out.write(text)
    midLine = !text.endsWith("\n")
    if (!midLine) warn()
  }
  /** In full: what a person must know, and what to do. Never in the middle of a line of the answer. */
  const warn = (...texts: string[]) => {
    waiting.push(...texts)
    if (midLine) return
    for (const text of waiting) cli.err.write(`${sanitiseLine(text)}\n`)
    waiting = []
  }
  // A program that reads the answer cannot take back what it has read: it gets the text of a step once that is final,
  // without what an attempt that failed had said before it was made again. A person watches it grow.
  const holds = !cli.out.isTerminal
  let held = ""
  const add = (text: string) => {
    if (holds) held += text
    else say(text)
  }
  const release = () => {
    const text = held
    held = ""
    if (text !== "") say(text.endsWith("\n") ? text : `${text}\n`)
  }
  return (event) => {
    if (event.task !== undefined && event.type !== "tool-start" && event.type !== "approval-end") return
    const line = progressOf(event)
    if (event.type === "text-delta") return add(sanitise(event.text))
    if (event.type === "retry") held = ""
    if (event.type === "text-end" && held !== "" && !held.endsWith("\n")) held += "\n"
    if (event.type === "step-start" || event.type === "step-end" || event.type === "turn-end") release()
    // A text that was cut off ends too: because of a stop, or because it will be streamed again.
    const ends = event.type === "text-end" || event.type === "retry" || event.type === "turn-end"
    if (ends && midLine) say("\n")
    if (event.type === "notice" || event.type === "not-covered") warn(line ?? "")
    else if (event.type === "sandbox" && line !== undefined) warn(line)
    else if (line !== undefined) tell(event.task === undefined ? line : `  ${line}`)
  }
}

/** One line for a person who is waiting; undefined for what they need not know. */
function progressOf(event: HostEvent): string | undefined {
  switch (event.type) {
    case "tool-start":
      return `▸ ${event.title}`
    case "tool-end":
      return event.error ? `✗ ${event.name}: ${event.output.split("\n", 1)[0] ?? ""}` : undefined
    case "retry":
      return `… ${event.problem}; trying again in ${Math.ceil(event.waitMs / 1000)} s`
    case "compaction-start":
      return "… compacting the conversation"
    case "compaction-end":
      return event.problem === undefined
        ? `compacted ${count(event.messages, "message")}`
        : `not compacted: ${event.problem}`
    case "backtracked":
      return `↶ backtracked to checkpoint ${event.checkpoint}, ${count(event.discards, "message")} left behind: ${event.note}`
    case "approval-end":
      return event.answer === "no" ? "✗ not allowed (allow it with --mode or --allow)" : undefined
    case "notice":
      return `${event.text} ${shellAdvice(event.advice ?? "")}`.trimEnd()
    case "sandbox":
      return sandboxWarning(event)
    case "not-covered":
      return notCoveredLine(event.files)
    case "turn-start":
    case "step-start":
    case "step-end":
    case "text-delta":
    case "text-end":
    case "reasoning-delta":
    case "reasoning-end":
    case "tool-delta":
    case "approval-start":
    case "appended":
    case "configured":
    case "host-closing":
    case "denied":
    case "labelled":
    case "attempt":
    case "rows-anew":
    case "steer-withdrawn":
    case "status":
    case "steer-queued":
    case "steer-given":
    case "todos":
    case "moved":
    case "changed":
    case "turn-end":
    case "end":
      return undefined
    default:
      return unreachable(event)
  }
}

const MOST_PATHS = 5

/** Conspicuous, because a restore will not bring these back. */
function notCoveredLine(files: readonly { path: string; because: string }[]): string {
  const shown = files.slice(0, MOST_PATHS).map(({ path, because }) => `${path} (${because})`)
  const more = files.length > MOST_PATHS ? ` and ${files.length - MOST_PATHS} more` : ""
  return `! Not covered by snapshots: ${shown.join(", ")}${more}. retcon cannot restore them.`
}
