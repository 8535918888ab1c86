// Slash commands about the model: which one, how much it thinks, what it sees.
import { openModels, type PickedModel } from "../overlay/models.ts"
import { refusal } from "../words/refusal.ts"
import { THINK_USE, TYPED_LEVELS, thinkingWords, typedLevel } from "../words/thinking-words.ts"
import { type Command, type CommandContext, invalid } from "./command.ts"

export const MODEL_COMMANDS: readonly Command[] = [
  {
    name: "compact",
    hint: "[focus]",
    about: "summarise the conversation to make room",
    async run(app, focus) {
      const asked = app.session.compact(focus === "" ? undefined : focus)
      const stop = () => void app.session.stop()
      const answer = await app.progress.during("Compacting the conversation", asked, stop)
      if (answer.outcome === "refused") {
        const { message, hint } = refusal(answer.failure)
        app.say("error", message, hint)
      }
      app.view.changed()
    },
  },
  {
    name: "model",
    hint: "[provider/name]",
    about: "choose a model",
    async run(app, name) {
      const before = app.view.status().thinking
      const chosen = name === "" ? await pickModel(app) : { model: name, thinking: before }
      if (chosen === undefined) return
      await app.keep()
      await app.progress.during("Switching models", app.session.setModel(chosen.model))
      const { thinking } = chosen
      if (thinking !== undefined && thinking !== before) await app.session.setThinking(thinking)
      app.view.changed()
      const how = thinking === before ? "" : `, thinking: ${thinking ?? "default"}`
      app.say("info", `The model is now ${app.view.status().model}${how}.`)
    },
  },
  {
    name: "think",
    hint: `[${TYPED_LEVELS.join("|")}]`,
    about: "how much the model thinks before it answers",
    async run(app, name) {
      if (name === "")
        return app.say("info", `Thinking: ${thinkingWords(app.view.status().thinking)}.`, `Choose with: ${THINK_USE}`)
      const level = typedLevel(name)
      await app.keep()
      await app.session.setThinking(level ?? null)
      app.view.changed()
      app.say("info", `Thinking: ${thinkingWords(level)}, from now on.`)
    },
  },
  {
    name: "omit",
    hint: "ENTRY",
    about: "continue without content that a provider refuses",
    async run(app, entry) {
      if (entry === "") throw invalid("An entry is missing.", "Use: /omit ENTRY, with the entry that the refusal names")
      const { parts } = await app.session.omit(entry)
      app.view.changed()
      const what = parts === "media" ? "its images and files" : "its text"
      app.say("info", `The model no longer sees ${what}.`, "The log keeps everything. Take this back with /undo")
    },
  },
]

async function pickModel(app: CommandContext): Promise<PickedModel | undefined> {
  const { models } = app.deps
  if (models !== undefined) return openModels(app.screen, models(), app.view.status())
  app.say("info", `The model is ${app.view.status().model}.`, "Choose one with: /model provider/name")
  return undefined
}
