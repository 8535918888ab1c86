// Slash commands about sessions: this one, and others.
import { costLines } from "../words/cost-lines.ts"
import { type Command, type CommandContext, invalid } from "./command.ts"
import { openSessionList } from "./overlays.ts"

export const SESSION_COMMANDS: readonly Command[] = [
  { name: "resume", hint: "", about: "continue another session", run: resume },
  {
    name: "new",
    hint: "",
    about: "start a new session",
    async run(app) {
      await app.open(await app.deps.host.draft({ cwd: app.deps.cwd }), "draft")
      app.say("info", "This is a new session. Return to the previous one with /resume")
    },
  },
  {
    name: "title",
    hint: "TEXT",
    about: "name this session",
    async run(app, text) {
      if (text === "") throw invalid("A title is missing.", "Use: /title TEXT")
      if (app.session.agent === undefined) await app.keep()
      await app.session.title(text)
      app.say("info", `This session is called "${text}".`)
    },
  },
  {
    name: "label",
    hint: "NAME",
    about: "name this point, to come back to it",
    async run(app, name) {
      if (name === "") throw invalid("A name is missing.", "Use: /label NAME")
      if (app.session.agent === undefined) await app.keep()
      await app.session.label("head", name)
      app.say("info", `This point is called "${name}".`, `Come back with /goto ${name}, or in /tree`)
    },
  },
  {
    name: "split",
    hint: "[entry]",
    about: "continue in a copy of this conversation",
    async run(app, entry) {
      const { session } = await app.session.split(entry === "" ? undefined : entry)
      await app.open(await app.deps.host.open(session), "resumed")
      app.say("info", "This is a copy; the original session stays as it is.")
    },
  },
  {
    name: "export",
    hint: "[file]",
    about: "write the conversation to a file",
    async run(app, argument) {
      app.say("info", await app.deps.exportSession(app.session, argument))
    },
  },
  {
    name: "cost",
    hint: "",
    about: "tokens and cost of this session",
    run: (app) => app.print((width) => costLines(app.view.status(), app.theme, width)),
  },
  {
    name: "doctor",
    hint: "",
    about: "check this session for damage",
    async run(app) {
      const found = await app.progress.during("Checking the session", app.deps.doctor(app.session))
      app.print(found)
    },
  },
]

async function resume(app: CommandContext): Promise<void> {
  await openSessionList(app, app.session.id)
}
