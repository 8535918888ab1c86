// Slash commands about what a person chooses: the model, how much it thinks, what it sees, what the agent may do without asking.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { PERMISSION_MODES, type PermissionMode } from "../../model/permission-mode.ts"
import { pieces } from "../../model/text/visible.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import { MODE_WORDS, nextMode, parseMode } from "../words/mode-words.ts"
import { obeyAllow } from "../words/slash-allow.ts"
import { THINK_USE, TYPED_LEVELS, thinkingWords, typedLevel } from "../words/thinking-words.ts"
import { type Command, type CommandTerminal, invalid } from "./command.ts"
import { chooseOffered, isDriven, nextOffered } from "./their-commands.ts"

export const CHOICE_COMMANDS: readonly Command[] = [
  {
    name: "compact",
    hint: "[focus]",
    about: "summarise the conversation to make room",
    async run({ session, during, changed }, focus) {
      const asked = session.compact(focus === "" ? undefined : focus)
      const answer = await during("Compacting the conversation", asked, () => void session.stop())
      if (answer.outcome === "refused") throw new RetconError(answer.failure)
      changed()
    },
  },
  {
    name: "model",
    hint: "[provider/name]",
    about: "choose a model",
    async run(terminal, name) {
      if (isDriven(terminal.session)) return chooseOffered(terminal, "model", name)
      const before = terminal.status().thinking
      const chosen = name === "" ? await terminal.show.models() : { model: name, thinking: before }
      if (chosen === undefined) return
      await terminal.keep()
      const session = workIn(terminal.session)
      await terminal.during("Switching models", session.setModel(chosen.model))
      const { thinking } = chosen
      if (thinking !== undefined && thinking !== before) await session.setThinking(thinking)
      terminal.changed()
      const how = thinking === before ? "" : `, thinking: ${thinking ?? "default"}`
      terminal.say("info", `The model is now ${terminal.status().model}${how}.`)
    },
  },
  {
    name: "think",
    hint: `[${TYPED_LEVELS.join("|")}]`,
    about: "how much the model thinks before it answers",
    async run(terminal, name) {
      if (isDriven(terminal.session)) return chooseOffered(terminal, "effort", name)
      const now = thinkingWords(terminal.status().thinking)
      if (name === "") return terminal.say("info", `Thinking: ${now}.`, `Choose with: ${THINK_USE}`)
      const level = typedLevel(name)
      await terminal.keep()
      await workIn(terminal.session).setThinking(level ?? null)
      terminal.changed()
      terminal.say("info", `Thinking: ${thinkingWords(level)}, from now on.`)
    },
  },
  {
    name: "omit",
    hint: "ENTRY",
    about: "continue without content that a provider refuses",
    async run({ session, changed, say }, entry) {
      if (entry === "") throw invalid("An entry is missing.", "Use: /omit ENTRY, with the entry that the refusal names")
      const { parts } = await workIn(session).omit(entry)
      changed()
      const what = parts === "media" ? "its images and files" : "its text"
      say("info", `The model no longer sees ${what}.`, "The log keeps everything. Take this back with /undo")
    },
  },
  {
    name: "mode",
    hint: `[${PERMISSION_MODES.join("|")}]`,
    about: "what the agent may do without asking",
    async run(terminal, name) {
      if (isDriven(terminal.session)) return chooseOffered(terminal, "mode", name)
      const { mode: now } = terminal.status()
      if (name === "")
        return terminal.say(
          "info",
          `Mode ${now}: ${MODE_WORDS[now]}.`,
          `Choose with: /mode ${PERMISSION_MODES.join("|")}`,
        )
      const mode = parseMode(name)
      if (mode === undefined) throw invalid(`There is no mode "${name}".`, `Modes: ${PERMISSION_MODES.join(", ")}`)
      await setMode(terminal, mode)
    },
  },
  {
    name: "allow",
    hint: "[RULE|revoke N]",
    about: "show what is allowed; allow a rule, or revoke one",
    async run(terminal, argument) {
      if (argument !== "") await terminal.keep()
      const lines = await obeyAllow(terminal.session, argument)
      terminal.print((width) =>
        lines.flatMap((line) => pieces(line, width - 6).map((piece, i) => `${i === 0 ? "  " : "      "}${piece}`)),
      )
    },
  },
]

async function setMode(terminal: CommandTerminal, mode: PermissionMode): Promise<void> {
  await terminal.keep()
  await workIn(terminal.session).setMode(mode)
  terminal.changed()
  terminal.say("info", `Mode ${mode}: ${MODE_WORDS[mode]}.`)
}

/** The mode after the one that is set. */
export async function chooseNextMode(terminal: CommandTerminal): Promise<void> {
  if (isDriven(terminal.session)) return nextOffered(terminal)
  await setMode(terminal, nextMode(terminal.status().mode))
}
