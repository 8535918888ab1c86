// Advice as shell commands: for the command line, and for the steps that other front ends cannot take themselves.
import { type Advice, type AdviceStep, adviceText } from "../model/failure/failure.ts"
import { shellWord } from "../model/text/sanitise.ts"
import { unreachable } from "../model/unreachable.ts"

/** `which`: names the session, such as " -s 7b0c26", for the commands that take one. */
export function shellAdvice(advice: Advice, which = ""): string {
  return adviceText(advice, (step) => shellStep(step, which))
}

/** For a front end that is not a shell. `session`: the one that it shows, which need not be the latest one there. */
export function inShell(step: AdviceStep, session?: string): string {
  const command = shellStep(step, session === undefined ? "" : ` -s ${shellWord(session)}`)
  return `${command.startsWith("-") ? `retcon ${command}` : command} (in a shell)`
}

function splitCommand({ entry, session, to }: Extract<AdviceStep, { do: "split" }>, which: string): string {
  const named = session === undefined ? which : ` -s ${shellWord(session)}`
  return `retcon split${entry === undefined ? "" : ` ${entry}`}${named}${to === undefined ? "" : ` --to ${to}`}`
}

function shellStep(step: AdviceStep, which = ""): string {
  switch (step.do) {
    case "back":
    case "undo":
    case "ops":
    case "show":
      return `retcon ${step.do}${which}`
    case "doctor":
    case "notes":
    case "gc":
      return `retcon ${step.do}`
    case "goto":
      return `retcon goto ${shellWord(step.entry)}${step.files === undefined ? "" : ` --files ${step.files}`}${which}`
    case "diff":
    case "omit":
      return `retcon ${step.do} ${shellWord(step.entry)}${which}`
    case "split":
      return splitCommand(step, which)
    case "files":
      return `--files ${step.choice}`
    case "resolve":
      return `--${step.choice}`
    case "attempts":
      return `retcon explore --${step.way}${which}`
    case "even-if-running":
      return "--even-if-running"
    case "log":
      return `retcon log --all${which}`
    case "sessions":
      return "retcon ls --all"
    case "resume":
      return `retcon -r ${step.session}`
    case "choose-session":
      return "-s"
    case "open-file":
      return `retcon -r ${shellWord(step.file)}`
    case "restore-session":
      return `retcon rm --restore ${step.id}`
    case "restore-kept":
      return `retcon keep --restore ${step.id}`
    case "install-hooks":
      return `retcon hooks install ${step.agent}`
    case "import":
      return `retcon import ${shellWord(step.file)}`
    case "moved":
      return `retcon moved ${shellWord(step.folder)}`
    case "model":
      return step.name === undefined ? "--model" : `--model ${step.name}`
    case "think":
      return `--think ${step.level}`
    case "max-steps":
      return "--max-steps NUMBER"
    case "config":
      return ["retcon config", step.key, step.value].filter((part) => part !== undefined).join(" ")
    default:
      return unreachable(step)
  }
}
