// What a line asks for: a prompt, a shell command, or a slash command.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isMovedElsewhere, promptQuestion } from "../../protocol/elsewhere-question.ts"
import { ownRequests } from "../../protocol/own-requests.ts"
import { runCommand } from "../commands/commands.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { type PlainTerminalDeps, plainCommands, plainTerminal, toWork } from "./plain-terminal.ts"

export async function dispatch(line: string, parts: PlainTerminalDeps): Promise<void> {
  if (line.trim() === "!") return parts.say("Type a command after the !, such as !ls")
  if (line.startsWith("!")) {
    const working = await toWork(parts)
    return void (await working.send({ text: line.slice(1).trim(), shell: true }))
  }
  const commands = plainCommands(parts, (text) => send(text, parts))
  if (/^\/[a-z]*(?:\s|$)/i.test(line))
    return runCommand(plainTerminal(parts), line.trimEnd(), commands, () => send(line, parts))
  return send(line, parts)
}

async function send(text: string, parts: PlainTerminalDeps): Promise<void> {
  const { say, unsent } = parts
  const session = parts.session()
  const own = ownRequests(session)
  const asked = own.expects()
  const working = await toWork(parts)
  try {
    const sent = () => working.send({ text }, working === session ? asked : {})
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
