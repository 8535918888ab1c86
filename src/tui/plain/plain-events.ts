// What happens, as lines that never change: text is written when its line is complete.
import { count } from "../../model/text/amounts.ts"
import { elsewhereWords, UNDOABLE } from "../../model/text/done-elsewhere.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { HostEvent } from "../../protocol/event.ts"
import { attemptLine } from "../../protocol/explore-words.ts"
import { sandboxWarning } from "../../protocol/sandbox-words.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { isWhole, type PlainScreen } from "./plain-question.ts"

const MOST_LINES = 20

/** The unfinished line of streaming text, by the function that prints it. */
const open = new WeakMap<(text: string) => void, string>()

export function plainEvents(event: HostEvent, say: (text: string) => void, screen?: PlainScreen): void {
  if (event.task !== undefined) return
  if (event.type === "text-delta") {
    const lines = ((open.get(say) ?? "") + event.text).split("\n")
    open.set(say, lines.pop() ?? "")
    for (const line of lines) say(line)
    return
  }
  const rest = open.get(say) ?? ""
  open.delete(say)
  if (rest !== "") say(rest)
  const line = lineOf(event, screen)
  if (line !== undefined) say(line)
}

function lineOf(event: HostEvent, screen?: PlainScreen): string | undefined {
  switch (event.type) {
    case "turn-start":
      return "Agent:"
    case "tool-start":
      return `Tool: ${event.title}${event.diff === undefined ? "" : `\n${diffText(event.diff, screen)}`}`
    case "tool-end":
      return `${event.error ? "Failed" : "Result"}: ${shortened(event.output)}`
    case "todos":
      return `Todos:\n${event.todos.map(({ text, status }) => `${status}: ${text}`).join("\n")}`
    case "retry":
      return `${event.problem} Trying again.`
    case "compaction-start":
      return "Compacting the conversation."
    case "compaction-end":
      // The answer to the request already says why.
      if (event.entry === null) return event.cause === "person" ? undefined : event.problem
      return `Compacted ${count(event.messages, "message")}.`
    case "backtracked":
      return [
        `Backtracked to Checkpoint ${event.checkpoint}. Discards ${count(event.discards, "message")}. Undo with /undo`,
        ...(event.returnedTo === null ? [] : [`Returned to: ${clip(sanitiseLine(event.returnedTo), 200)}`]),
        `Note from future: ${event.note}`,
      ].join("\n")
    case "changed":
      if (event.did === undefined || !(event.apart || event.followed === true)) return undefined
      return `${elsewhereWords(event.did)}.${event.apart ? " That is on another branch: see /branches." : UNDOABLE.has(event.did.kind) ? " Take it back with /undo." : ""}`
    case "notice":
      return `${event.text} ${plainAdvice(event.advice ?? "")}`.trimEnd()
    case "sandbox":
      return sandboxWarning(event)
    case "host-closing":
      return "retcon is closing."
    case "attempt":
      return event.state.state === "ended" ? attemptLine(event.state) : undefined
    case "turn-end":
      return event.outcome === "failed" ? `Failed: ${event.message ?? ""}` : `Turn ${event.outcome}.`
    case "appended":
    case "configured":
    case "labelled":
    case "rows-anew":
    case "steer-withdrawn":
    case "status":
    case "approval-end":
    case "approval-start":
    case "end":
    case "moved":
    case "not-covered":
    case "denied":
    case "reasoning-delta":
    case "reasoning-end":
    case "steer-given":
    case "steer-queued":
    case "step-end":
    case "step-start":
    case "text-delta":
    case "text-end":
    case "tool-delta":
      return undefined
    default:
      return unreachable(event)
  }
}

/** A diff that would scroll away is cut; the question about it shows all of it, page by page. */
function diffText(diff: string, screen: PlainScreen | undefined): string {
  return isWhole(diff.split("\n"), screen) ? diff.replace(/\n$/, "") : shortened(diff)
}

function shortened(output: string): string {
  const lines = output.replace(/\n$/, "").split("\n")
  if (lines.length <= MOST_LINES) return lines.join("\n")
  return [...lines.slice(0, MOST_LINES), `and ${count(lines.length - MOST_LINES, "more line")}`].join("\n")
}
