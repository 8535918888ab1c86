// What happens, as blocks: only here do the host's events change the conversation on the screen.
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { elsewhereWords, UNDOABLE } from "../../model/text/done-elsewhere.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Theme } from "../terminal/theme.ts"
import { terminalAdvice } from "../words/advice-words.ts"
import { type Block, type FoldedTexts, finished, noticeBlock, promptBlock, todoLines } from "./block.ts"
import { compactedBlock, noteLines } from "./note-lines.ts"
import { ownCommandBlocks } from "./own-command-blocks.ts"
import { type ReasoningBlock, reasoningBlock } from "./reasoning-block.ts"
import { type TextBlock, textBlock } from "./text-block.ts"
import { type ToolBlock, toolBlock } from "./tool-block.ts"
import type { Transcript } from "./transcript.ts"

export interface ConversationDeps {
  history: History
  theme: Theme
  transcript: Transcript
  folded: FoldedTexts
  now: () => number
  /** What follows this row was left behind: dims it, in the scrollback too. */
  left: (row: Row) => void
}

export interface Conversation {
  event(event: HostEvent): void
}

interface TaskProgress {
  calls: number
  doing: string
}

export function makeConversation(parts: ConversationDeps): Conversation {
  const { history, theme, transcript, folded, left } = parts
  let text: TextBlock | undefined
  let reasoning: ReasoningBlock | undefined
  /** What was streamed since the step began, or was retried. */
  let streamed: (TextBlock | ReasoningBlock)[] = []
  /** Where the log ended when the first of that arrived: snapshots are recorded meanwhile. */
  let streamedAt: Row = 0
  const tools = new Map<string, ToolBlock>()
  /** When a call started, not counting the time it waited for approval. */
  const since = new Map<string, number>()
  const tasks = new Map<string, TaskProgress>()
  const commands = ownCommandBlocks({ transcript, theme, folded, size: () => history.size, now: parts.now })
  const queued: string[] = []
  /** Whether the notice that another process continued was shown. */
  let continued = false

  /** `row`: where in the log this will be. */
  function add<Kind extends Block>(block: Kind, row = history.size): Kind {
    return transcript.add(block, row)
  }

  function stream<Kind extends TextBlock | ReasoningBlock>(block: Kind): Kind {
    if (streamed.length === 0) streamedAt = history.size
    streamed.push(block)
    return add(block)
  }

  /** Why the last attempt failed. */
  let refused = ""

  /** The answer starts again: what was printed of the first attempt is dimmed. */
  function startOver(): void {
    endStreams()
    if (streamed.length === 0) return
    for (const block of streamed) block.drop()
    streamed = []
    left(streamedAt - 1)
  }

  function endStreams(): void {
    text?.finish()
    reasoning?.finish()
    text = undefined
    reasoning = undefined
  }

  /** A sub-agent stays folded: what it does is one line beside its title. */
  function ofTask(event: HostEvent, call: string): void {
    const block = tools.get(call)
    if (block === undefined) return
    const progress = tasks.get(call) ?? { calls: 0, doing: "" }
    tasks.set(call, progress)
    if (event.type === "tool-start") {
      progress.calls++
      progress.doing = event.title.startsWith(event.name) ? event.title : `${event.name} ${event.title}`
    } else if (event.type === "text-delta") progress.doing = "writes"
    else if (event.type === "reasoning-delta") progress.doing = "thinks"
    else if (event.type === "approval-start" || event.type === "approval-end") {
      block.wait(event.type === "approval-start")
      return
    } else return
    block.status(`${count(progress.calls, "call")}${progress.doing === "" ? "" : `, ${progress.doing}`}`)
  }

  function ownEvent(event: HostEvent): void {
    switch (event.type) {
      case "text-delta":
        reasoning?.finish()
        reasoning = undefined
        text ??= stream(textBlock(theme))
        text.append(event.text)
        return
      case "reasoning-delta":
        text?.finish()
        text = undefined
        reasoning ??= stream(reasoningBlock(theme, folded))
        reasoning.append(event.text)
        return
      case "step-start":
      case "step-end":
        streamed = []
        endStreams()
        return
      case "text-end":
      case "reasoning-end":
        endStreams()
        return
      case "turn-start":
        commands.turn(true)
        continued = false
        add(promptBlock(theme, event.text), history.rowOf(event.entry))
        return
      case "tool-start": {
        if (commands.start(event)) return
        endStreams()
        if (event.name === "Todo" || event.name === "Backtrack") return
        since.set(event.call, parts.now())
        tools.set(event.call, add(toolBlock(theme, folded, event)))
        return
      }
      case "tool-delta":
        commands.output(event.call, event.text)
        tools.get(event.call)?.output(event.text)
        return
      case "tool-end":
        if (!commands.end(event)) toolEnd(event)
        return
      case "approval-start":
        tools.get(event.call)?.wait(true)
        return
      case "approval-end":
        for (const [call, block] of tools) {
          if (block.waiting) since.set(call, parts.now())
          block.wait(false)
        }
        return
      case "steer-queued":
        queued.push(event.text)
        return
      case "steer-given": {
        endStreams()
        const given = queued.shift()
        if (given !== undefined) add(promptBlock(theme, given, "+"))
        return
      }
      case "todos":
        add(finished("todos", (width) => todoLines(theme, event.todos, width)))
        return
      case "retry":
        startOver()
        add(noticeBlock(theme, "warning", retryWords(event, refused)))
        refused = event.problem
        return
      case "compaction-start":
        endStreams()
        return
      case "compaction-end":
        compacted(event)
        return
      case "backtracked":
        endStreams()
        folded.add("Note from future", event.note)
        left(history.parent(history.rowOf(event.entry)))
        add(finished("note", (width) => noteLines(event, width, theme, folded.key)))
        return
      case "changed":
        changedElsewhere(event)
        return
      case "notice":
        add(noticeBlock(theme, event.level, event.text, terminalAdvice(event.advice ?? "")))
        return
      case "not-covered": {
        const names = event.files.slice(0, 5).map(({ path, because }) => `${path} (${because})`)
        const more = event.files.length > 5 ? ` and ${event.files.length - 5} more` : ""
        add(noticeBlock(theme, "warning", `Not covered by snapshots: ${names.join(", ")}${more}`))
        return
      }
      case "turn-end":
        turnEnd(event)
        return
      case "moved":
        if (event.to !== null && isAbove(history, event.to, event.from)) left(history.rowOf(event.to))
        return
      case "appended":
      case "configured":
      case "denied":
      case "host-closing":
      case "labelled":
      case "attempt":
      case "rows-anew":
      case "steer-withdrawn":
      case "status":
      case "end":
      case "sandbox":
        return
      default:
        unreachable(event)
    }
  }

  /** Somebody else moved or continued the session. What it shows now is printed below. */
  function changedElsewhere({ did, apart, followed }: Extract<HostEvent, { type: "changed" }>): void {
    const known = did !== undefined && (apart || followed === true)
    if (known) {
      const hint = apart
        ? "That is on another branch: see /branches."
        : UNDOABLE.has(did.kind)
          ? "Take it back with /undo"
          : ""
      add(noticeBlock(theme, apart ? "warning" : "info", `${elsewhereWords(did)}.`, hint))
    } else if (apart && !continued) {
      const hint = "Its messages are on another branch: see /branches."
      add(noticeBlock(theme, "warning", "Another process continued this session.", hint))
    }
    continued = apart
  }

  function toolEnd(event: Extract<HostEvent, { type: "tool-end" }>): void {
    const block = tools.get(event.call)
    tools.delete(event.call)
    const progress = tasks.get(event.call)
    tasks.delete(event.call)
    if (block !== undefined) {
      if (progress !== undefined) block.status("")
      const start = since.get(event.call)
      block.end({ ...event, ...(start === undefined ? {} : { took: parts.now() - start }) })
      since.delete(event.call)
      return
    }
    // Refused before it started, or a tool whose work is shown in another way.
    if (!event.error) return
    const shown = add(toolBlock(theme, folded, { name: event.name, title: "" }))
    shown.end(event)
  }

  function compacted(event: Extract<HostEvent, { type: "compaction-end" }>): void {
    if (event.entry === null) {
      // The answer to the request already says why.
      if (event.problem === undefined || event.cause === "person") return
      add(noticeBlock(theme, "warning", `The conversation was not compacted: ${event.problem}`))
      return
    }
    const title = `Compacted ${count(event.messages, "message")}`
    const record = history.record(history.rowOf(event.entry))
    add(compactedBlock(title, record?.type === "compaction" ? record.summary : "", theme, folded))
    if (event.missing.length > 0) {
      add(noticeBlock(theme, "warning", `The summary may leave out: ${event.missing.join(", ")}`))
    }
  }

  function turnEnd(event: Extract<HostEvent, { type: "turn-end" }>): void {
    endStreams()
    for (const block of tools.values()) block.finish()
    tools.clear()
    since.clear()
    tasks.clear()
    queued.length = 0
    if (event.outcome === "stopped") add(noticeBlock(theme, "warning", "Stopped."))
    if (event.outcome === "withdrawn") add(noticeBlock(theme, "info", "Withdrawn: your prompt is back in the editor."))
    if (event.outcome === "failed") {
      add(noticeBlock(theme, "error", event.message ?? "The turn failed."))
    }
    commands.turn(false)
  }

  return {
    event(event) {
      if (event.task === undefined) ownEvent(event)
      else ofTask(event, event.task.call)
    },
  }
}

/** Whether `to` is on the path to `from`. */
function isAbove(history: History, to: EntryId, from: EntryId | null): boolean {
  const target = history.rowOf(to)
  let row = from === null ? NONE : history.rowOf(from)
  while (row !== NONE && row > target) row = history.parent(row)
  return row === target && target !== NONE
}

/** A provider's message may end without a full stop. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/**
 * What the person reads while a failed request is retried. `before`: why the previous attempt failed. The same problem
 * is not repeated in full.
 */
function retryWords({ attempt, problem, waitMs }: Extract<HostEvent, { type: "retry" }>, before: string): string {
  const said = attempt > 1 && problem === before ? "The same problem again." : sentence(problem)
  return `${said} Trying again in ${Math.max(1, Math.round(waitMs / 1000))} s.`
}
