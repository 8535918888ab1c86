// What has arrived of an answer that is not in the log yet. It is kept on this machine, at most a second old, so that a process
// that is killed takes no more than that with it. The next prompt records it, as a part of the conversation that it follows.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { isObject } from "../../model/json.ts"
import { sanitise } from "../../model/text/sanitise.ts"
import type { HostEvent } from "../../protocol/event.ts"
import { answerDraft, type EntryDraft } from "../../session/state/draft.ts"
import type { LocalState } from "../../store/local.ts"

const EVERY_MS = 1000

export interface Unrecorded {
  follow(event: HostEvent): void
  /** What a dead process left behind of the answer here, if the conversation is still where it was. Contract: no turn runs. */
  lost(head: EntryId | null): { text: string; model: string } | undefined
  /** The same, for whoever records it. */
  take(head: EntryId | null): EntryDraft | undefined
  close(): void
}

/** `now`: what an answer that arrives now continues, and who gives it. */
export function unrecordedAnswer(local: LocalState, now: () => { head: EntryId | null; model: string }): Unrecorded {
  let [text, stored] = ["", false]
  let timer: NodeJS.Timeout | undefined

  function store(): void {
    timer = undefined
    const { head, model } = now()
    stored = written(() => local.write("answer", { after: head, model, text }, "may be lost"))
  }

  /** It is in the log, or will never be. */
  function clear(): void {
    clearTimeout(timer)
    ;[text, timer] = ["", undefined]
    if (stored) stored = !written(() => local.write("answer", undefined))
  }

  function lost(head: EntryId | null): { text: string; model: string } | undefined {
    const left = local.read("answer")
    if (!isObject(left) || left.after !== head) return undefined
    const { text, model } = left
    return typeof text === "string" && typeof model === "string" && text !== "" ? { text, model } : undefined
  }

  return {
    follow(event) {
      if (event.task !== undefined) return
      if (event.type === "text-delta" && !event.recorded) {
        text += event.text
        timer ??= setTimeout(store, EVERY_MS).unref()
      }
      if (event.type === "step-end" || event.type === "retry" || event.type === "turn-end") clear()
    },
    lost,
    take(head) {
      const left = lost(head)
      if (left === undefined) return undefined
      stored = true
      return answerDraft(left.text, { model: left.model, stop: "failed" })
    },
    close: clear,
  }
}

/** Without it the answer goes on: it is only kept in case of the worst. */
function written(write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    if (error instanceof RetconError) return false
    throw error
  }
}

/** The end is what the person read last. */
const SHOWN = 1000

export function lostWords(text: string): string {
  const end = sanitise(text.trim()).slice(-SHOWN)
  const before = "The last answer was cut off when its program ended. Your next prompt records what had arrived of it:"
  return `${before}\n${end.length < text.trim().length ? "…" : ""}${end}`
}
