// One session on the screen: its conversation, its status, what is queued and what is asked.
import { isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import type { HostEvent } from "../../protocol/event.ts"
import { attemptLine } from "../../protocol/explore-words.ts"
import type { Draft, HostSession, PromptInput, SendAnswer, Unsent } from "../../protocol/host.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import type { Status, Totals } from "../../protocol/shapes.ts"
import { type Block, type FoldedTexts, makeFolded } from "../conversation/block.ts"
import { type Conversation, makeConversation } from "../conversation/conversation.ts"
import { blocksFromLog, settledHead } from "../conversation/from-log.ts"
import type { Transcript } from "../conversation/transcript.ts"
import type { ProgressLine } from "../screen/progress.ts"
import type { Theme } from "../terminal/theme.ts"
import { IDLE, isBusy, nextTurn, type TurnEvent, tokensWritten } from "./turn-state.ts"

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
  /** What attempts do now, one line each. */
  readonly attempts: readonly string[]
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
  let state = IDLE
  let status: Status | undefined
  let before: Totals | undefined
  /** The round that was last printed because somebody else moved there, and how far. */
  let printed: { round: Row; head: Row } = { round: NONE, head: NONE }

  function changed(): void {
    status = undefined
    parts.redraw()
  }

  function follow(event: TurnEvent): void {
    const next = nextTurn(state, event)
    if (next.state.doing !== state.doing) progress.turn(next.state.doing)
    state = next.state
    progress.wrote(tokensWritten(state))
    for (const effect of next.effects) {
      if (effect.do === "tell") parts.tell(effect.text)
      else void session.stop()
    }
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

  return {
    session,
    folded,
    get running() {
      return state.running || state.sending > 0
    },
    get busy() {
      return isBusy(state)
    },
    async send(input) {
      const starts = !state.running && input.shell !== true
      if (starts) follow({ type: "send" })
      try {
        return await workIn(session).send(input)
      } finally {
        follow({ type: "sent", starts })
        changed()
      }
    },
    async stop() {
      const { stopped } = await session.stop()
      if (!stopped) follow({ type: "stop-wanted" })
      changed()
    },
    get queued() {
      return state.queued
    },
    get attempts() {
      return state.attempts.map(attemptLine)
    },
    get question() {
      return state.questions[0]
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
      follow({ type: "taken-back", text: input.display ?? input.text })
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
