// One message on its way: which turn it starts or steers, or which command it is, and how that ended.
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { PromptInput, SendRequest } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import type { SessionEventData } from "../../protocol/over-http.ts"
import type { Hub } from "../live/hub.ts"
import { followTurns } from "./follow-turns.ts"
import { endedAs, lastWords, type MessageBegun, type MessageEnd, steeredTurn } from "./message-end.ts"

export interface SentMessage {
  /** Rejects with the reason if the turn could not begin. Undefined: it ended without beginning, or it is a command. */
  begun: Promise<MessageBegun | undefined>
  /** Resolves when the command has ended, or the turn that the message started or steered. */
  ended: Promise<MessageEnd>
}

type Heard = (told: SessionEventData) => void

/** Contract: `heard` gets the events of its turn or command, until `ended` settles. */
export function sendMessage(hub: Hub, input: PromptInput, request: SendRequest, heard: Heard): SentMessage {
  return input.shell === true ? sendCommand(hub, input, heard) : sendPrompt(hub, input, request, heard)
}

/** The calls that already belong to a message: two clients may run the same command at once. */
const taken = new WeakMap<Hub, Set<string>>()

function sendCommand(hub: Hub, input: PromptInput, heard: Heard): SentMessage {
  const others = taken.get(hub) ?? new Set()
  taken.set(hub, others)
  let call: string | undefined
  let end = { turn: hub.state().turn, text: "", error: false }
  const forget = hub.on((told) => {
    const { event, turn } = told
    if (call === undefined && isStartOf(input.text, event) && !others.has(event.call)) {
      call = event.call
      others.add(call)
    }
    if (call === undefined || !("call" in event) || event.call !== call) return
    if (event.type === "tool-end") end = { turn, text: event.output, error: event.error }
    heard(told)
  })
  const ended = workIn(hub.session)
    .send(input)
    .then((answer): MessageEnd => ({ ...endedAs(hub.session, answer, end), error: end.error }))
    .finally(() => {
      forget()
      if (call !== undefined) others.delete(call)
    })
  return { begun: quiet(ended.then(() => undefined)), ended: quiet(ended) }
}

function isStartOf(command: string, event: HostEvent): event is Extract<HostEvent, { type: "tool-start" }> {
  return event.type === "tool-start" && event.name === OWN_COMMAND && event.title === command
}

/** Only a `steer-queued` that comes during the call of `send` is about this message: later ones are about others. */
function sendPrompt(hub: Hub, input: PromptInput, request: SendRequest, heard: Heard): SentMessage {
  let begin: (begun: MessageBegun) => void = () => undefined
  const begun = new Promise<MessageBegun>((settle) => (begin = settle))
  const turns = followTurns(hub.session)
  let [sending, steers, given] = [true, false, false]
  /** The turn that has the message, or will get it. */
  let mine: number | undefined
  /** A turn that was stopped earlier may still report its start. */
  let earliest = 0
  const forget = hub.on((told) => {
    const { turn, event } = told
    if (event.task === undefined) turns.follow(event, turn)
    if (sending && event.type === "steer-queued") {
      ;[steers, mine] = [true, turn]
      begin({ turn, entry: null, steers: true })
    }
    if (mine === undefined && turn >= earliest && isTurnEdge(event)) {
      mine = turn
      if (event.type === "turn-start") begin({ turn, entry: event.entry, steers: false })
    }
    if (turn !== mine) return
    heard(told)
    // A message typed too late for the last step starts the next turn or steers it.
    if (steers && !given && isTurnEdge(event) && event.type === "turn-end" && event.outcome === "done") mine++
  })
  const answered = workIn(hub.session).send(input, request)
  sending = false
  earliest = hub.session.live()?.turn ?? 0
  // Another agent's program takes its time to record the prompt. Whatever refuses the message does so at once.
  if (hub.session.agent !== undefined) setImmediate(() => begin({ turn: earliest, entry: null, steers: false }))
  const ended = answered
    .then(async (answer): Promise<MessageEnd> => {
      given = answer.outcome === "steered"
      const turn = turns.withEntry(answer) ?? mine ?? earliest
      const end = given ? await turns.end(turn) : turns.known(turn)
      const text = end?.text ?? lastWords(hub.session)
      return { ...endedAs(hub.session, answer, { turn, text }), ...(given && end && steeredTurn(end.event)) }
    })
    .finally(forget)
  return { begun: quiet(Promise.race([begun, ended.then(() => undefined)])), ended: quiet(ended) }
}

function isTurnEdge(event: HostEvent): event is Extract<HostEvent, { type: "turn-start" | "turn-end" }> {
  return (event.type === "turn-start" || event.type === "turn-end") && event.task === undefined
}

/** Callers may ignore one of the two promises. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined)
  return promise
}
