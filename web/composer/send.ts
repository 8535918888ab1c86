// Sending, stopping and answering, with a message to the person if it does not work.
import { entryId } from "../../src/history/tree/tree.ts"
import type { Approval } from "../../src/model/approval.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import type { EntryId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/record.ts"
import { isMovedElsewhere, promptQuestion } from "../../src/protocol/elsewhere-question.ts"
import type { PromptInput } from "../../src/protocol/host.ts"
import type { Question } from "../../src/protocol/numbered-event.ts"
import { ownRequests } from "../../src/protocol/own-requests.ts"
import type { PageSession } from "../open/page-session.svelte.ts"
import { problemToast } from "../show/problem.ts"
import type { Toast, Toasts } from "../show/toasts.svelte.ts"
import { withText } from "./give-back.ts"

/** What was sent and has no answer yet, in this order. */
const unanswered = new WeakMap<PageSession, readonly string[]>()

/**
 * Sends the draft, to the branch being looked at if there is one. `head`: the person knows that the session is there.
 * Contract: empties the draft at once; text that was not sent comes back into it.
 */
export async function sendDraft(open: PageSession, toasts: Toasts, head?: EntryId | null): Promise<void> {
  const { work } = open.session
  if (work === undefined) return
  const text = open.draft.trim()
  const { media, looked } = open
  const shell = text.startsWith("!") && media.length === 0
  const from = looked === undefined ? null : entryId(open.session.history, looked)
  open.draft = ""
  open.media = []
  if (from === null) open.look(undefined)
  const input: PromptInput = shell
    ? { text: text.slice(1).trim(), display: text, shell: true }
    : { text, ...(media.length === 0 ? {} : { media: [...media] }) }
  const earlier = sentBefore(open)
  unanswered.set(open, [...(unanswered.get(open) ?? []), text])
  try {
    const own = ownRequests(open.session)
    const asked = head === undefined ? own.expects(entryId(open.session.history, open.head)) : { expects: head }
    const answer = await own.send(asked, () => work.send(from === null ? input : { ...input, from }, asked))
    // A failed turn is reported when it happens, no matter who started it.
    if (answer.outcome === "withdrawn") giveBack(open, answer.input, earlier)
  } catch (error) {
    giveBack(open, { text, media: [...media] }, earlier)
    toasts.add(movedToast(open, toasts, error) ?? problemToast(error))
  } finally {
    const waiting = unanswered.get(open) ?? []
    unanswered.set(open, waiting.toSpliced(waiting.indexOf(text), 1))
  }
}

/** Somebody else moved the session: the message waits in the draft until the person says that it continues there. */
function movedToast(open: PageSession, toasts: Toasts, error: unknown): Omit<Toast, "id"> | undefined {
  const failure = error instanceof RetconError ? error.failure : undefined
  if (failure === undefined || !isMovedElsewhere(failure)) return undefined
  const send = { label: "Send it there", run: () => void sendDraft(open, toasts, failure.head) }
  return { kind: "problem", text: promptQuestion(failure), actions: [send] }
}

export async function stopTurn(open: PageSession, toasts: Toasts): Promise<void> {
  try {
    const { withdrawn } = await open.session.stop()
    if (withdrawn !== undefined) giveBack(open, withdrawn, [])
  } catch (error) {
    toasts.add(problemToast(error))
  }
}

export async function answerTo(open: PageSession, toasts: Toasts, question: Question, answer: Approval): Promise<void> {
  try {
    if (await open.session.work?.answer(question.approval, answer)) return
    toasts.add({ kind: "done", text: "This question is no longer open: the turn continued or was stopped." })
  } catch (error) {
    toasts.add(problemToast(error))
  }
}

/** What may come back before a text sent now: the prompt of the running turn, no matter who sent it, and what waits. */
function sentBefore(open: PageSession): string[] {
  const prompt = open.session.live()?.prompt ?? undefined
  const record = prompt === undefined ? undefined : open.record(open.session.history.rowOf(prompt))
  const running = record?.type === "message" ? plainText(record.content) : ""
  return [running, ...(unanswered.get(open) ?? [])]
}

/** Text that the person has typed since then stays, below it. */
function giveBack(open: PageSession, { text, display, media }: PromptInput, earlier: readonly string[]): void {
  if (media !== undefined && open.media.length === 0) open.media = media
  open.draft = withText(open.draft, display ?? text, earlier)
}
