// The commands that start with a slash: one table, from which completion and /help are made too.
import { momentWords } from "../../history/words/moment-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { meant } from "../../model/text/typo.ts"
import { pieces } from "../../model/text/visible.ts"
import { parseThinking, THINKING_LEVELS } from "../../model/thinking.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import { openHelp } from "../overlay/help.ts"
import { openModels, type PickedModel } from "../overlay/models.ts"
import { type FilesAsked, settledMove } from "../overlay/move/settle.ts"
import type { Keys } from "../terminal/key-map.ts"
import { obeyAllow } from "../words/allow-command.ts"
import { costLines } from "../words/cost-lines.ts"
import { MODE_WORDS, parseMode } from "../words/mode-words.ts"
import { isChosen, type MoveLine, moveLine } from "../words/move-line.ts"
import { refusal } from "../words/refusal.ts"
import { DEFAULT_THINKING, THINK_USE, thinkingWords } from "../words/thinking-words.ts"
import { takeSteps } from "../words/undo-steps.ts"
import { undoWords } from "../words/undo-words.ts"
import type { SessionServices, TuiDeps } from "./deps.ts"
import { type MoveTeller, tellMove } from "./moved.ts"
import type { OnScreen } from "./on-screen.ts"
import { openBranchList, openDiffPage, openRewindList, openSessionList, openTreePage } from "./overlays.ts"
import type { ShownSession } from "./shown-session.ts"
import type { Speaker } from "./speaker.ts"

/** What a command may use. */
export interface CommandContext extends OnScreen, Speaker, ShownSession, MoveTeller {
  keys: Keys
  deps: Pick<TuiDeps, "host" | "cwd" | keyof SessionServices>
  quit(): void
}

export interface Command {
  name: string
  /** Of the argument; empty when there is none. */
  hint: string
  about: string
  run(app: CommandContext, argument: string): Promise<void> | void
}

const LEVELS: readonly string[] = [DEFAULT_THINKING, ...THINKING_LEVELS]

export const COMMANDS: readonly Command[] = [
  {
    name: "back",
    hint: "[n]",
    about: "go back one round, or n rounds",
    async run(app, typed) {
      const line = moveLine(typed)
      const rounds = line.argument === "" ? 1 : wholeNumber(line.argument)
      const answer = await moving(app, "Going back", line, (more) => app.session.back({ rounds, ...more }))
      tellMove(app, rounds === 1 ? "Went back one round" : `Went back ${rounds} rounds`, answer)
    },
  },
  {
    name: "undo",
    hint: "[n]",
    about: "undo the last move or round",
    run: (app, steps) => takeBack(app, "undo", steps),
  },
  {
    name: "redo",
    hint: "[n]",
    about: "redo what was undone",
    run: (app, steps) => takeBack(app, "redo", steps),
  },
  {
    name: "rewind",
    hint: "",
    about: "pick a prompt to go back to (or Esc Esc)",
    run: (app) => openRewindList(app),
  },
  { name: "tree", hint: "", about: "show the whole tree, with every branch", run: (app) => openTreePage(app) },
  { name: "branches", hint: "", about: "list the branches, to switch between them", run: (app) => openBranchList(app) },
  {
    name: "diff",
    hint: "[entry]",
    about: "show what changed in the files",
    run: (app, entry) => openDiffPage(app, entry),
  },
  {
    name: "restore",
    hint: "[entry] [path…]",
    about: "restore files; the conversation stays",
    async run(app, argument) {
      const line = moveLine(argument)
      const [entry = "head", ...paths] = words(line.argument)
      const request = paths.length === 0 ? {} : { paths }
      const restore = (more: MoveRequest) => app.session.restore(entry, { ...request, ...more })
      const title = `Restore the files as they were ${momentWords(app.session.history, app.session.head, entry)}`
      const asked = { when: "always" as const, title, since: entry }
      tellMove(app, "Files restored", await moving(app, "Restoring files", line, restore, asked))
    },
  },
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
    hint: `[${LEVELS.join("|")}]`,
    about: "how much the model thinks before it answers",
    async run(app, name) {
      const level = parseThinking(name)
      if (!["", ...LEVELS].includes(name)) {
        throw invalid(`There is no thinking level "${name}".`, `Levels: ${LEVELS.join(", ")}`)
      }
      if (name === "")
        return app.say("info", `Thinking: ${thinkingWords(app.view.status().thinking)}.`, `Choose with: ${THINK_USE}`)
      await app.keep()
      await app.session.setThinking(level)
      app.view.changed()
      app.say("info", `Thinking: ${thinkingWords(level)}, from now on.`)
    },
  },
  {
    name: "omit",
    hint: "ENTRY",
    about: "leave out what a provider refuses",
    async run(app, entry) {
      if (entry === "") throw invalid("An entry is missing.", "Use: /omit ENTRY, with the entry that the refusal names")
      const { parts } = await app.session.omit(entry)
      app.view.changed()
      const what = parts === "media" ? "its images and files" : "its text"
      app.say("info", `The model no longer sees ${what}.`, "The log keeps everything. Take this back with /undo")
    },
  },
  {
    name: "mode",
    hint: "[default|autoEdit|yolo]",
    about: "what the agent may do without asking",
    async run(app, name) {
      const mode = name === "" ? undefined : parseMode(name)
      if (name !== "" && mode === undefined) {
        throw invalid(`There is no mode "${name}".`, "Modes: default, autoEdit, yolo")
      }
      if (mode === undefined)
        return app.say("info", `Mode ${app.view.status().mode}: ${MODE_WORDS[app.view.status().mode]}.`)
      await setMode(app, mode)
    },
  },
  {
    name: "allow",
    hint: "[RULE|revoke N]",
    about: "show what is allowed; allow a rule, or revoke one",
    async run(app, argument) {
      if (argument !== "") await app.keep()
      const lines = await obeyAllow(app.session, argument)
      app.print((width) =>
        lines.flatMap((line) => pieces(line, width - 6).map((piece, i) => `${i === 0 ? "  " : "      "}${piece}`)),
      )
    },
  },
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
      await app.keep()
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
      await app.keep()
      await app.session.label("head", name)
      app.say("info", `This point is called "${name}".`, `Come back with /goto ${name}, or in /tree`)
    },
  },
  {
    name: "goto",
    hint: "ENTRY",
    about: "go to an entry: an id, a label, @N, head~N",
    async run(app, typed) {
      const line = moveLine(typed)
      const entry = line.argument
      if (entry === "") return openTreePage(app)
      tellMove(app, `Went to ${entry}`, await moving(app, "Going there", line, (more) => app.session.goto(entry, more)))
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
      if (app.deps.exportSession === undefined) throw invalid("Exporting is not possible here.", "Use: retcon export")
      app.say("info", `Written to ${await app.deps.exportSession(app.session, argument)}`)
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
      if (app.deps.doctor === undefined) throw invalid("Checking is not possible here.", "Use: retcon doctor")
      const found = await app.progress.during("Checking the session", app.deps.doctor(app.session))
      app.print(found)
    },
  },
  {
    name: "help",
    hint: "",
    about: "commands and keys (or ?)",
    run: (app) => openHelp(app.screen, { commands: COMMANDS, keys: app.keys }),
  },
  { name: "quit", hint: "", about: "leave", run: (app) => app.quit() },
]

export function isCommand(name: string): boolean {
  return COMMANDS.some((each) => each.name === name)
}

async function pickModel(app: CommandContext): Promise<PickedModel | undefined> {
  const { models } = app.deps
  if (models !== undefined) return openModels(app.screen, models(), app.view.status())
  app.say("info", `The model is ${app.view.status().model}.`, "Choose one with: /model provider/name")
  return undefined
}

async function resume(app: CommandContext): Promise<void> {
  await openSessionList(app, app.session.id)
}

export async function setMode(app: Speaker & ShownSession, mode: PermissionMode): Promise<void> {
  await app.keep()
  await app.session.setMode(mode)
  app.view.changed()
  app.say("info", `Mode ${mode}: ${MODE_WORDS[mode]}.`)
}

/** Contract: never throws; the conversation shows what went wrong. */
export async function runCommand(app: CommandContext, line: string): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const command = COMMANDS.find((each) => each.name === name)
  try {
    if (command === undefined) throw unknownCommand(name)
    await command.run(app, argument.trim())
  } catch (error) {
    app.fail(error)
  }
}

/**
 * Where files conflict or may be the person's, and the line does not say what happens to them, the person chooses.
 * Undefined when they cancel.
 */
function moving(
  app: OnScreen & ShownSession,
  what: string,
  line: MoveLine,
  ask: (more: MoveRequest) => Promise<MoveResult>,
  asked: FilesAsked = {},
): Promise<MoveResult | undefined> {
  const make = (more: MoveRequest) => app.progress.during(what, ask({ ...line.more, ...more }))
  return isChosen(line) ? make({}) : settledMove(app.screen, app.session, make, asked)
}

function takeBack(app: CommandContext, way: "undo" | "redo", typed: string): Promise<void> {
  const line = moveLine(typed)
  return takeSteps(way, line.argument, async () => {
    const did = undoWords(app.session, way)
    const answer = await moving(app, way === "undo" ? "Undoing" : "Redoing", line, (more) => app.session[way](more))
    tellMove(app, did, answer)
    return answer
  })
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw invalid(`"${text}" is not a number of rounds.`, "Use: /back, or /back 2")
}

function unknownCommand(name: string): RetconError {
  const names = COMMANDS.map((each) => each.name)
  const near = meant(name, names)
  const hint = near === undefined ? "" : `Did you mean /${near}? `
  return invalid(`There is no command /${name}.`, `${hint}List them with: /help`)
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "")
}

function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}
