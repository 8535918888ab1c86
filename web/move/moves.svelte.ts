// Moves in the session on the screen. Each reports what happened and offers to undo it.
import type { RemoteSession } from "../../src/client/remote-session.ts"
import { entryId } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { Moved, MoveResult } from "../../src/model/move/moved.ts"
import { elsewhereWords, UNDOABLE } from "../../src/model/text/done-elsewhere.ts"
import { isMovedElsewhere, moveQuestion } from "../../src/protocol/elsewhere-question.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { MoveRequest } from "../../src/protocol/host.ts"
import { ownRequests } from "../../src/protocol/own-requests.ts"
import { withText } from "../composer/give-back.ts"
import type { PageSession } from "../open/page-session.svelte.ts"
import { failureToast, problemToast } from "../show/problem.ts"
import type { Toasts } from "../show/toasts.svelte.ts"
import { movedWords } from "./moved-words.ts"
import { againStep, type ButtonStep, backStep, redoStep } from "./steps.ts"

/** `more`: options that the person has chosen. */
type Move = (session: RemoteSession, more: MoveRequest) => Promise<MoveResult>

const UNDONE = "Undone"

export class PageMoves {
  readonly #open: PageSession
  readonly #toasts: Toasts
  readonly #blocked: () => string | undefined
  busy = $state(false)

  readonly back: ButtonStep = $derived.by(() => this.#step(backStep))
  /** What was just undone is redone; otherwise it goes forward to where the last moves came from. */
  readonly redo: ButtonStep = $derived.by(() => this.#step(this.#undone ? againStep : redoStep))
  /** Why no move is possible now; undefined if one is. */
  readonly blocked: string | undefined = $derived.by(() => this.#whyBlocked())

  /** `blocked`: why the server cannot be asked now. */
  constructor(open: PageSession, toasts: Toasts, blocked: () => string | undefined) {
    this.#open = open
    this.#toasts = toasts
    this.#blocked = blocked
    open.session.on(({ event }) => {
      if (event.task !== undefined) return
      const movedOn = event.type === "moved" && event.to !== this.#toldHead
      if (event.type === "turn-start" || movedOn) {
        this.#forgetTold()
        this.#undone = false
      }
      if (event.type === "changed") this.#changedElsewhere(event)
    })
  }

  async goBack(): Promise<void> {
    const step = this.back
    if (!step.can) return this.#refuse(step.because)
    await this.run("Went back one round", (session, more) => session.back(more))
  }

  async goForward(): Promise<void> {
    const step = this.redo
    if (!step.can) return this.#refuse(step.because)
    await this.run("Went forward again", (session, more) =>
      step.by === "undo" ? session.undo(more) : session.redo(more),
    )
  }

  async undo(): Promise<void> {
    if (this.blocked !== undefined) return this.#refuse(this.blocked)
    await this.run(UNDONE, (session, more) => session.undo(more))
  }

  /** Contract: clears pending output before it asks the server. Returns the result, or undefined if the request failed. */
  async run(did: string, move: Move, more: MoveRequest = {}): Promise<MoveResult | undefined> {
    if (this.busy) return undefined
    this.busy = true
    const before = this.#open.draft
    const haveBack = this.#open.live.setAside()
    const { session, head } = this.#open
    const own = ownRequests(session)
    const request = { ...own.expects(entryId(session.history, head)), ...more }
    try {
      const result = await own.move(request, () => move(session, request))
      if (result.outcome === "refused") haveBack()
      if (result.outcome === "refused") this.#refused(did, move, result, more)
      else this.#tell(did, result, before)
      return result
    } catch (error) {
      haveBack()
      this.#toasts.add(problemToast(error))
      return undefined
    } finally {
      this.busy = false
    }
  }

  /** Reports a move that was made in another way, for example by voice. */
  told(did: string, result: MoveResult): void {
    if (result.outcome === "refused") this.#toasts.add(failureToast(result.failure))
    else this.#tell(did, result, this.#open.draft)
  }

  /** What only the person knows: whether another agent has its session open, and whether they still want it from elsewhere. */
  #refused(did: string, move: Move, refused: Extract<MoveResult, { outcome: "refused" }>, more: MoveRequest): void {
    const { failure, plan } = refused
    const again = (label: string, request: MoveRequest) => ({
      actions: [{ label, run: () => void this.run(did, move, { ...more, ...request }) }],
    })
    if (isMovedElsewhere(failure)) {
      const go = plan === undefined ? {} : again("Do it from there", { expects: failure.head })
      this.#toasts.add({ kind: "problem", text: moveQuestion(failure, refused), ...go })
    } else if (failure.code === "perhaps-running")
      this.#toasts.add({ ...failureToast(failure), ...again("It is closed there", { evenIfRunning: true }) })
    else this.#toasts.add(failureToast(failure))
  }

  /** Somebody else moved or continued the session: the page is there too, unless a turn runs here. */
  #changedElsewhere({ apart, followed, head, did }: Extract<HostEvent, { type: "changed" }>): void {
    const text = did === undefined ? "Another program continued this session." : `${elsewhereWords(did)}.`
    if (apart && head !== null) {
      const look = { label: "Look", run: () => this.#open.look(this.#open.session.history.rowOf(head)) }
      this.#toasts.add({ kind: "done", text: `${text} That is on another branch.`, actions: [look] })
    } else if (followed === true && did !== undefined) {
      this.#forgetTold()
      const undo = { label: "Undo", run: () => void this.undo() }
      this.#lastTold = this.#toasts.add({ kind: "done", text, ...(UNDOABLE.has(did.kind) ? { actions: [undo] } : {}) })
    }
  }

  #tell(did: string, result: Moved, before: string): void {
    this.#open.look(undefined)
    const isFree = before.trim() === "" || before === this.#given
    if (result.prompt !== null && isFree) this.#giveBack(result.prompt.text, before)
    else if (result.prompt === null && before === this.#given) this.#give("")
    const undo = { label: did === UNDONE ? "Redo" : "Undo", run: () => void this.#takeBack(result.kind) }
    const actions = result.outcome === "moved" ? { actions: [undo, ...this.#filesToo(result)] } : {}
    this.#forgetTold()
    this.#toldHead = result.head
    this.#undone = did === UNDONE && result.kind === "undo"
    this.#lastTold = this.#toasts.add({ kind: "done", ...movedWords(did, result), ...actions })
  }

  /** Whether the last move was an undo, and nothing has happened since. */
  #undone = $state(false)

  /** The message about the last move, and where that move led. */
  #lastTold = 0
  #toldHead: EntryId | null = null

  /** Whatever comes next removes the message, a prompt as well as a move: its Undo would undo that instead. */
  #forgetTold(): void {
    this.#toasts.remove(this.#lastTold)
  }

  /** The prompt that a move put into the draft. Until the person changes it, the next move may replace it. */
  #given = ""

  /** Below it stays what came into the draft during the move: waiting messages that came back too. */
  #giveBack(text: string, before: string): void {
    if (this.#open.draft === before) this.#give(text)
    else this.#open.draft = withText(this.#open.draft, text, [])
  }

  #give(text: string): void {
    this.#open.draft = text
    this.#given = text
  }

  #filesToo(result: Moved): { label: string; run: () => void }[] {
    const canRestore = result.filesMode === "keep" && result.files.length > 0 && result.notRestorable === undefined
    const entry = result.prompt?.id ?? result.head
    if (!canRestore || entry === null || result.kind === "undo" || result.kind === "redo") return []
    return [
      {
        label: "Files too",
        run: () => void this.run("Files restored", (session, more) => session.restore(entry, more)),
      },
    ]
  }

  async #takeBack(kind: string): Promise<void> {
    await this.run(kind === "undo" ? "Redone" : UNDONE, (session, more) =>
      kind === "undo" ? session.redo(more) : session.undo(more),
    )
  }

  #step(of: typeof backStep): ButtonStep {
    void this.#open.version
    if (this.blocked !== undefined) return { can: false, because: this.blocked }
    return of(this.#open.session.history, this.#open.head)
  }

  #whyBlocked(): string | undefined {
    const blocked = this.#blocked()
    if (blocked !== undefined) return blocked
    const { access } = this.#open.session
    return access.can === "look" ? access.because : undefined
  }

  #refuse(because: string): void {
    this.#toasts.add({ kind: "done", text: because })
  }
}
