// The same agent for screen readers and dumb terminals: a transcript that only grows, and a line at a time to answer.
import { shortIds } from "../../history/tree/short-ids.ts"
import { NONE } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { plainText } from "../../model/record/part.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { meant } from "../../model/text/typo.ts"
import { visible } from "../../model/text/visible.ts"
import { clip } from "../../model/text/width.ts"
import { parseThinking } from "../../model/thinking.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Host, HostSession } from "../../protocol/host.ts"
import { canGoOn } from "../../protocol/listing.ts"
import { nobodyThere } from "../../protocol/question.ts"
import { typedAnswer, UNCLEAR } from "../../protocol/typed-answer.ts"
import type { Start } from "../app/deps.ts"
import type { Question } from "../approval/approval.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { obeyAllow } from "../words/allow-command.ts"
import { MODE_WORDS, parseMode } from "../words/mode-words.ts"
import { moveLine } from "../words/move-line.ts"
import { movedFiles, unchangedFiles } from "../words/moved-files-words.ts"
import { DEFAULT_THINKING, THINK_USE, thinkingWords } from "../words/thinking-words.ts"
import { takeSteps } from "../words/undo-steps.ts"
import { unsentWords } from "../words/unsent-words.ts"
import { plainCommand } from "./plain-commands.ts"
import type { PlainContext } from "./plain-context.ts"
import { plainEvents } from "./plain-events.ts"
import { conflictText, plainMove } from "./plain-move.ts"
import { type PlainScreen, plainKeys, plainQuestion } from "./plain-question.ts"
import { makeUnsent, type PlainUnsent } from "./plain-unsent.ts"

export interface PlainDeps extends Pick<PlainContext, "exportSession" | "doctor"> {
  host: Host
  cwd: string
  start: Start
  /** The first line, before those that are typed. */
  prompt?: string
  /** What the person types, a line at a time; ends when they leave. */
  lines: AsyncIterable<string>
  /** A line may come while the agent works, and steers it. Otherwise each line waits for the one before, as in a script. */
  steers: boolean
  /** A person types the lines, and can be asked. From a pipe nobody answers: what is not allowed beforehand is refused. */
  asks: boolean
  /** The person's screen: a longer question is shown page by page. */
  screen?: () => PlainScreen
  now: () => number
  write(text: string): void
  /** Ctrl-C (`stop`), or something that ends the program (`leave`). Answers how to stop listening. */
  onInterrupt?: (call: (wish: "stop" | "leave") => Promise<"stopped" | "left">) => () => void
}

const HELP = `Type a prompt and press Enter. A line that ends with a backslash continues on the next one.
/back [n], /undo [n], /redo [n]: move in time. /goto ENTRY: to an id, a label or @N.
With files: --files restore, --keep PATH, --only-certain; where both changed the same lines: --ours, --theirs, --write-conflicts.
/tree, /branches, /prompts, /rewind: what there is. /restore [entry] [path]: files as they were. /diff [entry]. /split [entry].
/new, /resume [id]: other sessions. /title, /label, /export [file], /cost, /doctor. /omit ENTRY: continue without it.
/stop: stop the agent; what it has not received yet comes back, and /send sends it.
/compact [FOCUS]: summarise, to make room. /model NAME, /think LEVEL, /mode NAME. /allow [RULE], /allow revoke N.
!COMMAND runs a command. /quit leaves.`

/** All that can be typed after a slash. */
const COMMAND_NAMES = [...HELP.matchAll(/\/([a-z]+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** Contract: resolves at the end of the lines, at /quit, or when interrupted while nothing works. Writes no control character but newline. */
export async function runPlain(parts: PlainDeps): Promise<void> {
  const say = (text: string) => parts.write(`${sanitise(text)}\n`)
  let session = await openPlain(parts)
  /** With the pages that were not shown yet. */
  const questions: { question: Question; pages: string[] }[] = []
  let asked: () => void = () => undefined
  const follow = (event: HostEvent) => {
    plainEvents(event, say, parts.screen?.())
    if (event.type === "approval-start" && !parts.asks) {
      say(`Not allowed: ${visible(event.title)}. There is nobody to ask. Allow it with --allow TOOL or --mode.`)
      session.answer(event.approval, nobodyThere(event.title))
    } else if (event.type === "approval-start") {
      const [first = "", ...pages] = plainQuestion(event, parts.screen?.())
      questions.push({ question: event, pages })
      asked()
      say(first)
    }
    if (event.type === "approval-end")
      questions.splice(
        questions.findIndex(({ question }) => question.approval === event.approval),
        1,
      )
  }
  let stopListening = session.on(follow)
  /** Leaves this session for another. */
  async function change(next: HostSession): Promise<void> {
    stopListening()
    await session.close()
    session = next
    stopListening = session.on(follow)
    say(`retcon in ${session.cwd}, session ${session.id}. ${position(session)}`)
    if (parts.asks) unsent.found(session.takeDraft())
  }
  const unsent = makeUnsent(say)
  const working = new Set<Promise<unknown>>()
  /** What the next line says yes or no to. */
  let unconfirmed: (() => Promise<void>) | undefined
  /** Not while the agent works: a yes could be meant for what it asks. */
  const confirm: PlainContext["confirm"] = (question, act) => {
    if (!parts.asks || working.size > 1) return false
    unconfirmed = act
    say(question)
    return true
  }
  /** Everything that was asked for is done, or the next line is needed as an answer. */
  const settled = () => {
    const question = new Promise<void>((settle) => {
      asked = settle
    })
    return questions.length > 0 ? undefined : Promise.race([Promise.all(working), question])
  }
  let leave = () => {}
  const left = new Promise<undefined>((settle) => (leave = () => settle(undefined)))
  /** Stops what is running; when nothing runs, the person wants to leave. */
  const forget = parts.onInterrupt?.(async (wish) => {
    const stops = wish === "stop" && working.size > 0
    await session.stop()
    if (stops) say("Press Ctrl-C again to leave.")
    else leave()
    return stops ? "stopped" : "left"
  })
  let waits = ""
  if (parts.start.kind === "resume" && parts.start.id === undefined) say(found(session))
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
        if (yes) await act().catch((error: unknown) => say(problem(error)))
        else say("Nothing was changed.")
        if (yes || /^(?:no?)?$/i.test(line.trim())) continue
      }
      const [asking] = questions
      if (asking !== undefined && !line.startsWith("/")) {
        const { question, pages } = asking
        const answer = typedAnswer(line, question.grants)
        // A person who pages with Enter may press it once too often.
        const paging = line.trim() === "" && parts.screen !== undefined
        const page = paging || answer?.answer !== "no" ? pages.shift() : undefined
        if (page !== undefined || paging) {
          say(page === undefined ? plainKeys(question) : paging ? page : `There is more of it:\n${page}`)
          continue
        }
        if (answer === undefined) {
          say(`${UNCLEAR} ${plainKeys(question)}`)
          continue
        }
        session.answer(question.approval, answer)
        if (!parts.steers) await settled()
        continue
      }
      if (line.trim() === "") continue
      if (/^\/quit(?:\s|$)/.test(line.trim())) break
      const work = obey(session, line, { ...parts, say, change, confirm, unsent }).catch((error: unknown) =>
        say(problem(error)),
      )
      working.add(work)
      void work.finally(() => working.delete(work))
      // A move answers before the next line is read; a turn can be steered.
      if (line.startsWith("/")) await work
      else if (!parts.steers) await settled()
    }
    await settled()
    // Nobody is left to answer.
    if (questions.length > 0) await session.stop()
    await Promise.all(working)
  } finally {
    stopListening()
    if (waits.trim() !== "") unsent.began(waits.trimEnd())
    const kept = await session.close(unsent.input)
    if (kept !== undefined) say(unsentWords(kept))
    if (parts.asks && session.file !== undefined && session.history.tips().length > 0)
      say(`Continue with: retcon --plain -r ${shortId(session.id)}`)
    // Not before all is saved: what ends the program would end it at once.
    forget?.()
  }
}

async function* withFirst(first: string | undefined, lines: AsyncIterable<string>): AsyncGenerator<string> {
  if (first !== undefined) yield first
  yield* lines
}

/** The lines until `left` resolves, even while the next one is awaited. */
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

/** Nobody chose it: which session it is, and how to get another. */
function found(session: HostSession): string {
  if (session.head === NONE) return "There is no session here yet: this is a new one."
  return `Continuing the last session here, ${session.id}. For another: retcon ls, then retcon --plain -r ID.`
}

async function openPlain({ host, cwd, start }: PlainDeps): Promise<HostSession> {
  if (start.kind === "resume" && start.id !== undefined) return host.open(start.id)
  if (start.kind === "new") return host.create({ cwd })
  const sessions = await host.list({ cwd })
  const last = sessions.find(canGoOn)
  return last === undefined ? host.create({ cwd }) : host.open(last.id)
}

type Say = (text: string) => void

interface Obeyed extends PlainDeps, Pick<PlainContext, "confirm"> {
  say: Say
  unsent: PlainUnsent
  change(next: HostSession): Promise<void>
}

async function obey(session: HostSession, line: string, parts: Obeyed): Promise<void> {
  const { say, unsent } = parts
  if (line.trim() === "!") return say("Type a command after the !, such as !ls")
  if (line.startsWith("!")) return void (await session.send({ text: line.slice(1).trim(), shell: true }))
  const [, name, argument = ""] = /^\/([a-z]*)(?:\s+(.*))?$/is.exec(line.trimEnd()) ?? []
  const tells = { ...parts, tell: (answer: MoveResult) => tell(session, answer, say) }
  const move = moveLine(argument)
  switch (name) {
    case undefined:
      return send(session, line, parts)
    case "send": {
      const text = unsent.take()
      return text === undefined ? say("There is no unsent text.") : send(session, text, parts)
    }
    case "back": {
      if (!/^[1-9]\d{0,8}$|^$/.test(move.argument))
        return say(`"${move.argument}" is not a number of rounds. Use: /back, or /back 2`)
      const rounds = Number(move.argument || "1")
      return void (await plainMove(tells, move, (request) => session.back({ rounds, ...request })))
    }
    case "undo":
    case "redo":
      return takeSteps(name, move.argument, () => plainMove(tells, move, (request) => session[name](request)))
    case "goto":
      if (move.argument === "")
        return say("An entry is missing. Use: /goto ID, a label, or @N. See them with /tree and /prompts")
      return void (await plainMove(tells, move, (request) => session.goto(move.argument, request)))
    case "compact": {
      const answer = await session.compact(argument === "" ? undefined : argument)
      if (answer.outcome === "refused") say(words(answer.failure))
      return
    }
    case "stop":
      await session.stop()
      return
    case "prompts":
    case "rewind":
      for (const line of promptLines(session)) say(line)
      return name === "rewind" ? say("Go back to one with: /goto @N") : undefined
    case "model":
      if (argument !== "") await session.setModel(argument)
      return say(`Model: ${session.status().model}${argument === "" ? ". Choose with: /model PROVIDER/NAME" : ""}`)
    case "think": {
      const level = parseThinking(argument)
      if (level === undefined && argument !== DEFAULT_THINKING)
        return say(`Thinking: ${thinkingWords(session.status().thinking)}. Choose with: ${THINK_USE}`)
      await session.setThinking(level)
      return say(`Thinking: ${thinkingWords(level)}`)
    }
    case "omit": {
      const { parts } = await session.omit(argument)
      return say(
        `The model no longer sees ${parts === "media" ? "its images and files" : "its text"}. Take this back with /undo.`,
      )
    }
    case "mode":
      return plainMode(session, argument, say)
    case "allow":
      for (const text of await obeyAllow(session, argument.trim())) say(text)
      return
    case "help":
      return say(HELP)
    default: {
      const next = await plainCommand(name, { ...tells, session, argument })
      if (next === "unknown") {
        const near = meant(name, COMMAND_NAMES)
        const hint = near === undefined ? "" : `Did you mean /${near}? `
        return say(`There is no command /${name} here. ${hint}Type /help for help.`)
      }
      if (next !== undefined) await parts.change(next)
    }
  }
}

async function send(session: HostSession, text: string, { say, unsent }: Obeyed): Promise<void> {
  const answer = await session.send({ text })
  if (answer.outcome === "failed") say(plainAdvice(answer.advice))
  if (answer.outcome === "withdrawn") unsent.cameBack(answer.input)
}

async function plainMode(session: HostSession, name: string, say: Say): Promise<void> {
  const mode = parseMode(name)
  if (mode !== undefined) await session.setMode(mode)
  if (mode === undefined && name !== "") say(`There is no mode "${name}".`)
  const { mode: now } = session.status()
  say(
    `Mode ${now}: ${MODE_WORDS[now]}.${mode === undefined ? ` Choose with: /mode ${PERMISSION_MODES.join("|")}` : ""}`,
  )
}

/** A message typed while the agent worked has no number: its id is the way back to it. */
function* promptLines(session: HostSession): Generator<string> {
  const ids = shortIds(session.history)
  for (const { round, text, steer } of session.rounds()) {
    yield `${round}: ${sanitiseLine(text)}`
    for (const each of steer) {
      yield `   + ${ids.of(session.history.rowOf(each.entry))}: ${sanitiseLine(each.text)}`
    }
  }
}

function tell(session: HostSession, answer: MoveResult, say: Say): void {
  if (answer.outcome === "refused") {
    const both = conflictText(answer)
    if (both !== "") say(both)
    say(words(answer.failure))
    return
  }
  const onlyFiles = answer.kind === "restore"
  if (onlyFiles && answer.outcome !== "moved") {
    const { text, kept } = unchangedFiles(answer)
    for (const line of [text, ...kept]) say(line)
    return
  }
  if (answer.outcome === "unchanged") {
    say(`You are already there. Nothing was changed. ${position(session)}`)
    return
  }
  const left = answer.messages === 0 ? "" : `${count(answer.messages, "message")} left behind, nothing is lost. `
  const back = answer.kind === "undo" ? "/redo" : "/undo"
  say(`${onlyFiles ? "Files restored." : `Moved. ${left}${position(session)}`} Take this back with ${back}.`)
  for (const text of movedFiles(answer)) say(text)
  if (answer.prompt !== null) say(`Your prompt was: ${answer.prompt.text}`)
}

/** Where we are, in a sentence. */
function position(session: HostSession): string {
  const { round, rounds, branches } = session.status()
  if (rounds === 0 && branches <= 1) return "A new session."
  const row = session.history.prompt(session.head)
  const record = row === NONE ? undefined : session.history.record(row)
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  const place = `Round ${round} of ${rounds}, ${count(branches, "branch", "branches")}.`
  return text === "" ? place : `${place} Last prompt: ${clip(sanitiseLine(text), 200)}.`
}

function problem(error: unknown): string {
  if (!(error instanceof RetconError)) return error instanceof Error ? error.message : String(error)
  return words(error.failure)
}

function words(failure: Failure): string {
  const { message, advice } = wordsFor(failure)
  return `${message} ${plainAdvice(advice)}`
}
