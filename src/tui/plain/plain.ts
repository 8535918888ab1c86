// The same agent for screen readers and dumb terminals: a transcript that only grows, and answers as single lines.
import { sanitise } from "../../model/text/sanitise.ts"
import type { HostSession } from "../../protocol/host.ts"
import type { NumberedEvent } from "../../protocol/numbered-event.ts"
import type { Start } from "../app/deps.ts"
import type { CommandServices } from "../commands/command.ts"
import { continueWords } from "../words/advice-words.ts"
import { unsentWords } from "../words/unsent-words.ts"
import { makePlainApprovals } from "./plain-approvals.ts"
import { dispatch } from "./plain-dispatch.ts"
import { plainEvents } from "./plain-events.ts"
import { errorWords, position } from "./plain-messages.ts"
import type { PlainAsker } from "./plain-move.ts"
import type { PlainScreen } from "./plain-question.ts"
import { lookingLines } from "./plain-sessions.ts"
import { openFirst } from "./plain-start.ts"
import { makeUnsent } from "./plain-unsent.ts"

export interface PlainDeps extends CommandServices {
  start: Start
  /** The first line, before those that are typed. */
  prompt?: string
  /** What the person types, a line at a time; ends when they leave. */
  lines: AsyncIterable<string>
  /** Whether a line may arrive while the agent works, to steer it. If not, each line waits for the one before. */
  steers: boolean
  /**
   * A person types the lines, and can be asked. From a pipe nobody answers: what was not allowed beforehand is refused.
   */
  asks: boolean
  /** The person's screen: a longer question is shown page by page. */
  screen?: () => PlainScreen
  now: () => number
  write(text: string): void
  /** Ctrl-C (`stop`), or something that ends the program (`leave`). Returns how to stop listening. */
  onInterrupt?: (call: (wish: "stop" | "leave") => Promise<"stopped" | "left">) => () => void
}

/**
 * Contract: resolves at the end of the lines, at /quit, or when interrupted while nothing runs. Writes no control
 * character except newline.
 */
export async function runPlain(parts: PlainDeps): Promise<void> {
  const say = (text: string) => parts.write(`${sanitise(text)}\n`)
  const first = await openFirst(parts)
  let { session } = first
  const approvals = makePlainApprovals({ say, ...parts })
  const follow = ({ event }: NumberedEvent) => {
    plainEvents(event, say, parts.screen?.())
    approvals.follow(session, event)
  }
  let stopListening = session.on(follow)
  /** Leaves this session for another. */
  async function change(next: HostSession): Promise<void> {
    stopListening()
    await session.close()
    session = next
    stopListening = session.on(follow)
    for (const line of lookingLines(session, parts.cwd)) say(line)
    say(`retcon in ${session.cwd}, session ${session.id}. ${position(session)}`)
    if (parts.asks) unsent.found(session.takeDraft())
  }
  const unsent = makeUnsent(say)
  const working = new Set<Promise<unknown>>()
  /** What a yes to the pending confirmation would do. */
  let unconfirmed: (() => Promise<void>) | undefined
  /** Not while the agent works: the yes could be meant for the agent's question. */
  const confirm: PlainAsker["confirm"] = (question, act) => {
    if (!parts.asks || working.size > 1) return false
    unconfirmed = act
    say(question)
    return true
  }
  /** Everything requested is done, or the next line is needed as an answer. */
  const settled = () => {
    const question = approvals.next()
    return approvals.waiting ? undefined : Promise.race([Promise.all(working), question])
  }
  let leave = () => {}
  const left = new Promise<undefined>((settle) => (leave = () => settle(undefined)))
  /** Stops what is running; if nothing is, the person wants to leave. */
  const forget = parts.onInterrupt?.(async (wish) => {
    const stops = wish === "stop" && working.size > 0
    await session.stop()
    if (stops) say("Press Ctrl-C again to quit.")
    else leave()
    return stops ? "stopped" : "left"
  })
  let waits = ""
  for (const line of first.words) say(line)
  say(`retcon in ${session.cwd}. ${position(session)} Type /help for help.`)
  if (parts.asks) unsent.found(session.takeDraft())
  try {
    for await (const raw of withFirst(parts.prompt, until(left, parts.lines))) {
      if (raw.endsWith("\\")) {
        waits += `${raw.slice(0, -1)}\n`
        continue
      }
      const line = waits + raw
      waits = ""
      if (unconfirmed !== undefined) {
        const act = unconfirmed
        unconfirmed = undefined
        const yes = /^y(?:es)?$/i.test(line.trim())
        if (yes) await act().catch((error: unknown) => say(errorWords(error)))
        else say("Nothing was changed.")
        if (yes || /^(?:no?)?$/i.test(line.trim())) continue
      }
      if (approvals.waiting && !line.startsWith("/")) {
        if (approvals.take(session, line) === "answered" && !parts.steers) await settled()
        continue
      }
      if (line.trim() === "") continue
      if (/^\/quit(?:\s|$)/.test(line.trim())) break
      const work = dispatch(line, { ...parts, say, change, confirm, unsent, session: () => session }).catch(
        (error: unknown) => say(errorWords(error)),
      )
      working.add(work)
      void work.finally(() => working.delete(work))
      // A move answers before the next line is read; a turn can be steered.
      if (line.startsWith("/")) await work
      else if (!parts.steers) await settled()
    }
    await settled()
    // Nobody is left to answer.
    if (approvals.waiting) await session.stop()
    await Promise.all(working)
  } finally {
    stopListening()
    if (waits.trim() !== "") unsent.began(waits.trimEnd())
    const kept = await session.close(unsent.input)
    if (kept !== undefined) say(unsentWords(kept))
    if (parts.asks && session.file !== undefined && session.history.tips().length > 0)
      say(continueWords(session, "plain", parts.cwd))
    // Not before everything is saved: without a listener, the next interrupt would end the program at once.
    forget?.()
  }
}

/** The lines that a person types, as they arrive. */
async function* withFirst(first: string | undefined, lines: AsyncIterable<string>): AsyncGenerator<string> {
  if (first !== undefined) yield first
  yield* lines
}

/** The lines until `left` resolves, even while waiting for the next one. */
async function* until(left: Promise<undefined>, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const all = lines[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([left, all.next()])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: a line that never comes must not block.
    void all.return?.()
  }
}
