// Slash commands that move in time, and those that show where you can go.
import { type History, NONE } from "../../history/tree/tree.ts"
import { momentWords } from "../../history/words/moment-words.ts"
import { unitWords } from "../../history/words/unit-words.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { MoveRequest, SessionContents } from "../../protocol/host.ts"
import { type FilesAsked, settledMove } from "../overlay/move/settle.ts"
import { isChosen, type MoveLine, moveLine } from "../words/move-line.ts"
import { takeSteps } from "../words/undo-steps.ts"
import { type Command, type CommandContext, invalid } from "./command.ts"
import type { OnScreen } from "./on-screen.ts"
import { openBranchList, openDiffPage, openRewindList, openTreePage } from "./overlays.ts"
import type { ShownSession } from "./shown-session.ts"
import { tellMove } from "./tell-move.ts"

export const MOVE_COMMANDS: readonly Command[] = [
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
    about: "redo what you undid",
    run: (app, steps) => takeBack(app, "redo", steps),
  },
  {
    name: "rewind",
    hint: "",
    about: "pick a prompt to go back to (or Esc Esc)",
    run: (app) => openRewindList(app),
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
]

/**
 * If files conflict or may be the person's, and the line does not say what happens to them, the person chooses.
 * Undefined if they cancel.
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

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "")
}

const MOST = 60

/**
 * What an undo or a redo is about to take back, in words. "Undone: your prompt “fix the tests”". Contract: call it
 * before the undo; reads two rows at most.
 */
function undoWords(session: SessionContents, way: "undo" | "redo"): string {
  const did = way === "undo" ? "Undone" : "Redone"
  const what = nextWords(session.history, way)
  return what === "" ? did : `${did}: ${what}`
}

function nextWords(history: History, way: "undo" | "redo"): string {
  const last = history.size - 1
  if (last < 0) return ""
  const redo = history.redo(last)
  const row = way === "undo" ? history.undo(last) : redo === NONE ? NONE : history.unit(redo)
  if (row === NONE) return ""
  const { kind, by, text } = unitWords(history, { row, to: way === "undo" ? history.headAfter(last) : row })
  const words = text === "" ? "" : ` “${clip(sanitiseLine(text.slice(0, 400)), MOST)}”`
  return kind === "round" ? `${by === "agent" ? "what the agent did" : "your prompt"}${words}` : (MOVES[kind] ?? kind)
}

const MOVES: Readonly<Record<string, string>> = {
  back: "going back",
  goto: "going to another point",
  backtrack: "the agent's backtrack",
  retract: "withdrawing a prompt",
  restore: "restoring files",
  compact: "the compaction",
  omit: "leaving out what a provider refused",
}
