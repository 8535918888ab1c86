// Claude Code in its two-way mode: one process for many prompts, which can be stopped, asks before it acts and says what it offers.
// The control messages are those that its own SDKs use.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Offers } from "../../model/offers.ts"
import type { Part } from "../../model/record/record.ts"
import { type Child, type ChildEnd, startChild } from "../child.ts"
import type { LiveAgent, OpenAgent, ProgramEnd } from "../port.ts"
import { type ClaudeProgramOptions, claudeArguments, endWords, failureWords } from "./launch.ts"
import { offersOf, settingsOf } from "./offers.ts"
import { questionOf, responseOf } from "./question.ts"
import { claudeStream, type StreamEnd, textOf } from "./stream.ts"

const ANSWERS_WITHIN_MS = 5000
/** How long a turn may go on after it was asked to stop. */
const STOPS_WITHIN_MS = 400

/** Its own form for choices needs a screen of its own; without it, the model asks in words. */
const TWO_WAY = [
  "--input-format",
  "stream-json",
  "--permission-prompt-tool",
  "stdio",
  "--replay-user-messages",
  "--disallowedTools",
  "AskUserQuestion",
]

/** A prompt that has not ended, with the messages that followed it. */
interface Turn {
  settle(end: ProgramEnd): void
  over: Promise<ProgramEnd>
  read: (said: JsonObject) => void
  stopped: boolean
  /** Messages that it has not taken up yet, and who waits for that. */
  unheard: Map<string, (heard: boolean) => void>
  /** Older versions do not repeat a command. */
  isCommand: boolean
}

/** `ChildEnd`: it ended instead. */
export async function twoWay(
  { program, env, newId, patienceMs = ANSWERS_WITHIN_MS }: ClaudeProgramOptions,
  request: OpenAgent,
): Promise<LiveAgent | ChildEnd | "not answered"> {
  const session = request.session?.id ?? newId()
  const command: [string, ...string[]] = [program, ...claudeArguments(request, session), ...TWO_WAY]
  const answers = new Map<string, (response: JsonObject | undefined) => void>()
  const questions = new Map<string, AbortController>()
  let turn: Turn | undefined
  let offers: Offers = offersOf({})
  let [next, repeats, dead]: [number, boolean, ChildEnd | undefined] = [1, false, undefined]
  const child: Child = startChild({ command, cwd: request.cwd, env, line })
  const gone = child.gone.then((end) => {
    dead = end
    for (const answer of answers.values()) answer(undefined)
    withdrawQuestions()
    finish(turn?.stopped === true ? { outcome: "stopped", denied: [] } : failed(endWords(end)))
  })

  function line(text: string): void {
    const parsed = parseJson(text)
    if (!parsed.ok || !isObject(parsed.value)) return
    const said = parsed.value
    if (said.type === "control_response") answered(said.response)
    else if (said.type === "control_request")
      void asked(textOf(said.request_id), isObject(said.request) ? said.request : {})
    else if (said.type === "control_cancel_request") questions.get(textOf(said.request_id))?.abort()
    else if (said.type === "user" && said.isReplay === true) heard(textOf(said.uuid))
    else {
      if (said.type === "system" && said.subtype === "init") told(settingsOf(offers, said))
      turn?.read(said)
    }
  }

  function told(changed: Offers): void {
    if (JSON.stringify(changed) === JSON.stringify(offers)) return
    offers = changed
    request.told({ type: "settings" })
  }

  function answered(response: Json | undefined): void {
    if (!isObject(response)) return
    answers.get(textOf(response.request_id))?.(response)
  }

  /** Undefined if it ended first. */
  function control(wanted: JsonObject): Promise<JsonObject | undefined> {
    if (dead !== undefined) return Promise.resolve(undefined)
    const id = `retcon-${next++}`
    const response = new Promise<JsonObject | undefined>((settle) => answers.set(id, settle))
    child.send({ type: "control_request", request_id: id, request: wanted })
    return response.finally(() => answers.delete(id))
  }

  async function asked(id: string, wanted: JsonObject): Promise<void> {
    const answer = (response: JsonObject) =>
      child.send({ type: "control_response", response: { request_id: id, ...response } })
    if (wanted.subtype !== "can_use_tool")
      return answer({ subtype: "error", error: `Not supported: ${textOf(wanted.subtype)}` })
    const withdrawn = new AbortController()
    questions.set(id, withdrawn)
    const given = await request.ask(questionOf(wanted, request.cwd), withdrawn.signal)
    questions.delete(id)
    // Whoever withdrew it knows.
    if (!withdrawn.signal.aborted) answer({ subtype: "success", response: responseOf(wanted, given) })
  }

  function withdrawQuestions(): void {
    for (const question of questions.values()) question.abort()
  }

  function heard(message: string): void {
    repeats = true
    turn?.unheard.get(message)?.(true)
    turn?.unheard.delete(message)
    request.told({ type: "grown" })
  }

  /** It begins turns of its own too, for example when a command in the background has ended: those are not the answer. */
  function ended(of: Turn, { ok, message, denied }: StreamEnd): void {
    if (of.stopped) return finish({ outcome: "stopped", denied })
    if (repeats && !of.isCommand && of.unheard.size > 0) return
    finish(ok ? { outcome: "done", denied } : { ...failed(failureWords(message || "It does not say why.")), denied })
  }

  function finish(end: ProgramEnd): void {
    const of = turn
    if (of === undefined) return
    turn = undefined
    for (const waiting of of.unheard.values()) waiting(false)
    of.settle(end)
  }

  function say(content: Json, heardBack: (heard: boolean) => void): void {
    const uuid = newId()
    turn?.unheard.set(uuid, heardBack)
    child.send({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: session,
      uuid,
    })
  }

  async function stop(): Promise<void> {
    const of = turn
    if (of === undefined) return
    of.stopped = true
    // What it has not taken up yet would begin another turn.
    const alone = of.unheard.size === 0 || !repeats
    if (alone) void control({ subtype: "interrupt" })
    withdrawQuestions()
    if (!alone || !(await inTime(of.over, STOPS_WITHIN_MS))) await child.end()
    await of.over
  }

  const live: LiveAgent = {
    session,
    get offers() {
      return offers
    },
    prompt({ text, media }) {
      if (dead !== undefined) return Promise.resolve(failed(endWords(dead)))
      let settle: Turn["settle"] = () => {}
      const over = new Promise<ProgramEnd>((resolve) => (settle = resolve))
      const read = claudeStream(request.told, (end) => ended(own, end))
      const own: Turn = { settle, over, read, stopped: false, unheard: new Map(), isCommand: text.startsWith("/") }
      turn = own
      say([{ type: "text", text }, ...media.flatMap(blockOf)], () => undefined)
      return over
    },
    async steer(text) {
      if (turn === undefined || turn.stopped || !repeats) return false
      return new Promise((settle) => say([{ type: "text", text }], settle))
    },
    stop,
    async choose(what, value) {
      const subtypes: Record<string, JsonObject> = {
        mode: { subtype: "set_permission_mode", mode: value },
        model: { subtype: "set_model", model: value },
      }
      const wanted = subtypes[what]
      const answer = wanted && (await control(wanted))
      if (answer?.subtype === "success") return told({ ...offers, [what]: value })
      const problem = textOf(answer?.error) || `Claude Code cannot set its ${what} here.`
      throw new RetconError({ code: "invalid", problem, advice: "Nothing was changed." })
    },
    async release() {
      await stop()
      return child.end()
    },
    gone,
  }

  const first = await Promise.race([control({ subtype: "initialize" }), passed(patienceMs)])
  if (first === undefined && dead !== undefined && !isUnknownOption(dead)) return dead
  if (first?.subtype === "success" && isObject(first.response)) {
    offers = offersOf(first.response)
    return live
  }
  await child.end()
  return "not answered"
}

function failed(message: string): ProgramEnd {
  return { outcome: "failed", message, denied: [] }
}

/** An older version, which knows nothing of this mode. */
function isUnknownOption({ said }: ChildEnd): boolean {
  return /unknown option|unrecognized (?:option|argument)/i.test(said)
}

function blockOf(part: Part): Json[] {
  const source = (data: string, mediaType: string) => ({ type: "base64", media_type: mediaType, data })
  if (part.type === "image") return [{ type: "image", source: source(part.data, part.mediaType) }]
  if (part.type === "file") return [{ type: "document", source: source(part.data, part.mediaType) }]
  return part.type === "text" ? [{ type: "text", text: part.text }] : []
}

function passed(ms: number): Promise<undefined> {
  return new Promise((settle) => void setTimeout(() => settle(undefined), ms).unref())
}

async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return (await Promise.race([work.then(() => true), passed(ms)])) === true
}
