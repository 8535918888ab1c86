// One session on the screen: its conversation, its status, what is queued and what is asked.
import { isOnPath } from "../../history/tree/path.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { Draft, HostSession, PromptInput, SendAnswer, Unsent } from "../../protocol/host.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import type { Status, Totals } from "../../protocol/shapes.ts"
import type { Block } from "../conversation/block.ts"
import { type Conversation, makeConversation } from "../conversation/conversation.ts"
import { type FoldedTexts, makeFolded } from "../conversation/folded.ts"
import { blocksFromLog, settledHead } from "../conversation/from-log.ts"
import type { Transcript } from "../conversation/transcript.ts"
import type { ProgressLine } from "../screen/progress.ts"
import type { Theme } from "../terminal/theme.ts"

export interface SessionViewDeps {
  session: HostSession
  transcript: Transcript
  theme: Theme
  progress: ProgressLine
  /** The key that shows what was folded. */
  details: string
  now: () => number
  redraw(): void
  /** Called with a row after which everything was left behind. */
  left: (row: Row) => void
  /** Notifies a person who looks elsewhere. */
  tell(text: string): void
}

export interface SessionView {
  readonly session: HostSession
  readonly folded: FoldedTexts
  /** From the moment a prompt is sent until its turn has ended. */
  readonly running: boolean
  /** A turn or the person's own command is running: Esc stops it. */
  readonly busy: boolean
  send(input: PromptInput): Promise<SendAnswer>
  /** Stops the turn, even one that is just about to start. */
  stop(): Promise<void>
  /** Typed while the agent runs, and not sent to it yet. */
  readonly queued: readonly string[]
  /** The oldest pending question. */
  readonly question: Question | undefined
  /** Contract: cheap; called for every frame. */
  status(): Status
  /** Adds what was spent before the session was opened. */
  spentBefore(totals: Totals | undefined): void
  /** Shows the conversation from the log: its end, or the last round. */
  show(what: "end" | "last-round"): void
  add(block: Block): void
  /** Removes from the queue what was taken back. */
  unqueue(input: PromptInput): void
  /** Marks the status line as out of date. */
  changed(): void
  /** `typed`: unsent text in the editor. */
  close(typed?: Draft): Promise<Unsent | undefined>
}

export function sessionView(parts: SessionViewDeps): SessionView {
  const { session, transcript, theme, progress } = parts
  const folded = makeFolded(parts.details)
  const conversation: Conversation = makeConversation({
    history: session.history,
    theme,
    transcript,
    folded,
    now: parts.now,
    left: parts.left,
  })
  const questions: Question[] = []
  let queued: string[] = []
  let running = false
  let sending = 0
  let stopWanted = false
  let commands = 0
  let status: Status | undefined
  let before: Totals | undefined
  /** The round that was last printed because somebody else moved there, and how far. */
  let printed: { round: Row; head: Row } = { round: NONE, head: NONE }

  function changed(): void {
    status = undefined
    parts.redraw()
  }

  const stopListening = session.on(({ event }) => {
    follow(event)
    conversation.event(event)
    if (event.type === "changed" && event.followed === true) showFollowed()
    if (CHANGES.has(event.type)) status = undefined
    if (event.type === "status") status = event.status
    parts.redraw()
  })

  /** Somebody else moved or continued the session: prints the round where it is now, or what was added to it. */
  function showFollowed(): void {
    const { history } = session
    const head = settledHead(history, session.head)
    const round = head === NONE ? NONE : history.prompt(head)
    const grew = round !== NONE && round === printed.round && isOnPath(history, printed.head, head)
    const blocks = blocksFromLog(history, head, { theme, folded }, "last-round")
    for (const { block, row } of blocks) if (!grew || row > printed.head) transcript.add(block, row)
    printed = { round, head }
  }

  /** The person's own command is shown only if nothing else runs. */
  function followTool({ type, name }: Extract<HostEvent, { type: "tool-start" | "tool-end" }>): void {
    if (name !== OWN_COMMAND) {
      if (type === "tool-start") progress.turn(`Running ${name}`)
      return
    }
    commands += type === "tool-start" ? 1 : -1
    if (!running && sending === 0) progress.turn(commands === 0 ? undefined : "Running your command")
  }

  function follow(event: HostEvent): void {
    if (event.type === "approval-start") {
      questions.push(event)
      progress.turn("Waiting for your answer")
      parts.tell(`${event.name} is waiting for your answer`)
    }
    if (event.type === "approval-end") {
      const at = questions.findIndex(({ approval }) => approval === event.approval)
      const [asked] = at === -1 ? [] : questions.splice(at, 1)
      const allowed = event.answer === "once" || event.answer === "session" || event.answer === "settled"
      const doing = allowed && asked !== undefined ? `Running ${asked.name}` : "Continuing"
      if (questions.length === 0 && running) progress.turn(doing)
    }
    if (event.task !== undefined) return
    if (event.type === "turn-start") {
      running = true
      progress.turn("Thinking")
      if (stopWanted) void session.stop()
      stopWanted = false
    }
    count(event)
    if (event.type === "text-delta") progress.turn("Writing")
    if (event.type === "reasoning-delta" || event.type === "step-start") progress.turn("Thinking")
    if (event.type === "tool-start" || event.type === "tool-end") followTool(event)
    if (event.type === "compaction-start") progress.turn("Compacting the conversation")
    if (event.type === "steer-queued") queued.push(event.text)
    if (event.type === "steer-given") queued.shift()
    if (event.type === "turn-end") {
      running = false
      queued = []
      progress.turn(commands === 0 ? undefined : "Running your command")
      if (event.outcome === "done" || event.outcome === "failed") parts.tell("The agent is done")
    }
    if (event.type === "compaction-end" && !running) progress.turn(undefined)
  }

  /** Reported tokens, and an estimate for what is streaming. */
  let written = { reported: 0, characters: 0 }
  function count(event: HostEvent): void {
    if (event.type === "turn-start") written = { reported: 0, characters: 0 }
    if (event.type === "text-delta" || event.type === "reasoning-delta") written.characters += event.text.length
    if (event.type === "step-end") {
      written = { reported: written.reported + (event.usage.output ?? 0), characters: 0 }
    }
    progress.wrote(written.reported + Math.ceil(written.characters / CHARACTERS_A_TOKEN))
  }

  return {
    session,
    folded,
    get running() {
      return running || sending > 0
    },
    get busy() {
      return running || sending > 0 || commands > 0
    },
    async send(input) {
      const starts = !running && input.shell !== true
      if (starts) {
        sending++
        progress.turn("Starting")
      }
      try {
        return await session.send(input)
      } finally {
        if (starts) sending--
        stopWanted = false
        if (!running && sending === 0 && commands === 0) progress.turn(undefined)
        changed()
      }
    },
    async stop() {
      const { stopped } = await session.stop()
      if (!stopped && sending > 0) stopWanted = true
      changed()
    },
    get queued() {
      return queued
    },
    get question() {
      return questions[0]
    },
    status() {
      status ??= withBefore(session.status(), before)
      return status
    },
    spentBefore(totals) {
      before = totals
      changed()
    },
    show(what) {
      const blocks = blocksFromLog(session.history, session.head, { theme, folded }, what)
      for (const { block, row } of blocks) transcript.add(block, row)
      parts.redraw()
    },
    add(block) {
      transcript.add(block, session.history.size)
      parts.redraw()
    },
    unqueue(input) {
      const at = queued.lastIndexOf(input.display ?? input.text)
      if (at !== -1) queued.splice(at, 1)
      parts.redraw()
    },
    changed,
    async close(typed) {
      stopListening()
      progress.turn(undefined)
      return session.close(typed)
    },
  }
}

function withBefore(status: Status, before: Totals | undefined): Status {
  if (before === undefined) return status
  const { totals: own } = status
  const totals: Totals = {
    input: own.input + before.input,
    output: own.output + before.output,
    cacheRead: own.cacheRead + before.cacheRead,
    cacheWrite: own.cacheWrite + before.cacheWrite,
    cost: own.cost === undefined && before.cost === undefined ? undefined : (own.cost ?? 0) + (before.cost ?? 0),
    saved: own.saved + before.saved,
  }
  const unpriced = [...new Set([...(own.unpriced ?? []), ...(before.unpriced ?? [])])]
  return { ...status, totals: unpriced.length === 0 ? totals : { ...totals, unpriced } }
}

const CHARACTERS_A_TOKEN = 4

/** Events that change the status line. */
const CHANGES: ReadonlySet<HostEvent["type"]> = new Set([
  "turn-start",
  "step-end",
  "tool-end",
  "moved",
  "changed",
  "compaction-end",
  "backtracked",
  "sandbox",
  "turn-end",
])
