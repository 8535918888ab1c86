// What a line asks for: a prompt, a shell command, or a slash command.
import { shortIds } from "../../history/tree/short-ids.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { LEFT_BY_BACKTRACK } from "../../model/text/passed-words.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { nearestWord } from "../../model/text/typo.ts"
import { isMovedElsewhere, promptQuestion } from "../../protocol/elsewhere-question.ts"
import type { HostSession, SessionChoices, SessionContents } from "../../protocol/host.ts"
import { copyOf } from "../../protocol/open-to-work.ts"
import { ownRequests } from "../../protocol/own-requests.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { MODE_WORDS, parseMode } from "../words/mode-words.ts"
import { moveLine } from "../words/move-line.ts"
import { obeyAllow } from "../words/slash-allow.ts"
import { THINK_USE, thinkingWords, typedLevel } from "../words/thinking-words.ts"
import { takeSteps } from "../words/undo-steps.ts"
import { plainCommand } from "./plain-commands.ts"
import type { PlainContext } from "./plain-context.ts"
import { COMMAND_NAMES, HELP } from "./plain-help.ts"
import { failureWords, tellMove } from "./plain-messages.ts"
import { plainMove } from "./plain-move.ts"
import type { PlainUnsent } from "./plain-unsent.ts"

export interface DispatchContext extends Omit<PlainContext, "session" | "argument" | "tell"> {
  unsent: PlainUnsent
  /** Whether a person can be asked. */
  asks: boolean
  /** Leaves this session for another. */
  change(next: SessionContents): Promise<void>
}

export async function dispatch(session: HostSession, line: string, parts: DispatchContext): Promise<void> {
  const { say, unsent } = parts
  if (line.trim() === "!") return say("Type a command after the !, such as !ls")
  if (line.startsWith("!")) {
    const working = await toWork(session, parts)
    return void (await working.send({ text: line.slice(1).trim(), shell: true }))
  }
  const [, name, argument = ""] = /^\/([a-z]*)(?:\s+(.*))?$/is.exec(line.trimEnd()) ?? []
  const tells = { ...parts, own: ownRequests(session), tell: (answer: MoveResult) => tellMove(session, answer, say) }
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
      if (answer.outcome === "refused") say(failureWords(answer.failure, session.id))
      return
    }
    case "stop":
      await session.stop()
      return
    case "prompts":
    case "rewind":
      for await (const line of promptLines(session)) say(line)
      return name === "rewind" ? say("Go back to one with: /goto @N") : undefined
    case "model":
      if (argument !== "") await session.setModel(argument)
      return say(`Model: ${session.status().model}${argument === "" ? ". Choose with: /model PROVIDER/NAME" : ""}`)
    case "think": {
      if (argument === "")
        return say(`Thinking: ${thinkingWords(session.status().thinking)}. Choose with: ${THINK_USE}`)
      const level = typedLevel(argument)
      await session.setThinking(level ?? null)
      return say(`Thinking: ${thinkingWords(level)}`)
    }
    case "omit": {
      if (argument === "") return say("An entry is missing. Use: /omit ENTRY, with the entry that the refusal names")
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
        const near = nearestWord(name, COMMAND_NAMES)
        const hint = near === undefined ? "" : `Did you mean /${near}? `
        return say(`There is no command /${name} here. ${hint}Type /help for help.`)
      }
      if (next !== undefined) await parts.change(next)
    }
  }
}

/** The terminal sends no prompt to another agent's session: it continues in a copy. */
async function toWork(session: HostSession, parts: DispatchContext): Promise<HostSession> {
  if (session.agent === undefined) return session
  const { session: copy, copied } = await copyOf(parts.host, session, parts.cwd)
  if (copied !== undefined) parts.say(copied)
  await parts.change(copy)
  return copy
}

async function send(session: HostSession, text: string, parts: DispatchContext): Promise<void> {
  const { say, unsent } = parts
  const own = ownRequests(session)
  const asked = own.expects()
  const working = await toWork(session, parts)
  try {
    const sent = () => (working === session ? session.send({ text }, asked) : working.send({ text }))
    const answer = await own.send(asked, sent)
    if (answer.outcome === "failed") say(plainAdvice(answer.advice, working.id))
    if (answer.outcome === "withdrawn") unsent.cameBack(answer.input)
  } catch (error) {
    const failure = error instanceof RetconError ? error.failure : undefined
    if (failure === undefined || !isMovedElsewhere(failure)) throw error
    say(promptQuestion(failure))
    unsent.cameBack({ text })
  }
}

async function plainMode(
  session: SessionContents & SessionChoices,
  name: string,
  say: PlainContext["say"],
): Promise<void> {
  const mode = parseMode(name)
  if (mode !== undefined) await session.setMode(mode)
  if (mode === undefined && name !== "") say(`There is no mode "${name}".`)
  const { mode: now } = session.status()
  say(
    `Mode ${now}: ${MODE_WORDS[now]}.${mode === undefined ? ` Choose with: /mode ${PERMISSION_MODES.join("|")}` : ""}`,
  )
}

/** A message typed while the agent worked, or left by its Backtrack, has no number: use its id to go back to it. */
async function* promptLines(session: SessionContents): AsyncGenerator<string> {
  const ids = shortIds(session.history)
  for (const { prompt, round, passed, text, steer } of await session.rounds()) {
    if (passed !== true) yield `${round}: ${sanitiseLine(text)}`
    else yield `- ${ids.of(session.history.rowOf(prompt))}: ${sanitiseLine(text)} (${LEFT_BY_BACKTRACK})`
    for (const each of steer) {
      yield `   + ${ids.of(session.history.rowOf(each.entry))}: ${sanitiseLine(each.text)}`
    }
  }
}
