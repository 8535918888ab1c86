// Slash commands that move in time, and those that show where you can go.
import { resolveEntry } from "../../history/plan/resolve.ts"
import { type History, isOnPath, NONE } from "../../history/tree/tree.ts"
import { momentWords } from "../../history/words/moment-words.ts"
import { unitWords } from "../../history/words/units.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { moveLine } from "../words/move-line.ts"
import { type Command, type CommandTerminal, invalid, type TypedMove } from "./command.ts"

export const MOVE_COMMANDS: readonly Command[] = [
  {
    name: "back",
    hint: "[n]",
    about: "go back one round, or n rounds",
    run(terminal, typed) {
      const line = moveLine(typed)
      const rounds = line.argument === "" ? 1 : wholeNumber(line.argument)
      const did = rounds === 1 ? "Went back one round" : `Went back ${rounds} rounds`
      const { session } = terminal
      return terminal.move({ doing: "Going back", did, line, make: (more) => session.back({ rounds, ...more }) })
    },
  },
  { name: "undo", hint: "[n]", about: "undo the last move or round", run: (terminal, n) => take(terminal, "undo", n) },
  { name: "redo", hint: "[n]", about: "redo what you undid", run: (terminal, n) => take(terminal, "redo", n) },
  { name: "rewind", hint: "", about: "pick a prompt to go back to (or Esc Esc)", run: ({ show }) => show.rewind() },
  {
    name: "goto",
    hint: "ENTRY",
    about: "go to an entry: an id, a label, @N, head~N",
    run(terminal, typed) {
      const line = moveLine(typed)
      const entry = line.argument
      if (entry === "") return terminal.show.tree()
      const { session } = terminal
      const did = `Went to ${entry}`
      return terminal.move({ doing: "Going there", did, line, make: (more) => session.goto(entry, more) })
    },
  },
  { name: "tree", hint: "", about: "show the whole tree, with every branch", run: ({ show }) => show.tree() },
  {
    name: "branches",
    hint: "",
    about: "list the branches, to switch between them",
    run: ({ show }) => show.branches(),
  },
  {
    name: "compare",
    hint: "A [B]",
    about: "compare two branches, or one with where you are",
    run({ show }, typed) {
      const [a, b] = typed.split(/\s+/).filter((word) => word !== "")
      if (a === undefined) return show.branches()
      return show.compare({ a, ...(b !== undefined && { b }) })
    },
  },
  {
    name: "diff",
    hint: "[entry]",
    about: "show what changed in the files",
    run: ({ show }, entry) => show.diff(entry),
  },
  {
    name: "restore",
    hint: "[entry] [path…]",
    about: "restore files; the conversation stays",
    run(terminal, typed) {
      const line = moveLine(typed)
      const { session } = terminal
      const [entry = "head", ...paths] = line.argument.split(/\s+/).filter((word) => word !== "")
      const request = paths.length === 0 ? {} : { paths }
      return terminal.move({
        doing: "Restoring files",
        did: "Files restored",
        line,
        make: (more) => session.restore(entry, { ...request, ...more }),
        files: {
          title: `Restore the files as they were ${momentWords(session.history, session.head, entry)}`,
          since: entry,
        },
      })
    },
  },
  {
    name: "revert",
    hint: "ROUND…",
    about: "take back the file changes of single rounds; later ones stay",
    run: (terminal, typed) => moveRounds(terminal, "revert", typed),
  },
  {
    name: "bring",
    hint: "BRANCH|ROUND…",
    about: "bring what a branch found and changed, or single rounds' files",
    run: (terminal, typed) => moveRounds(terminal, "bring", typed),
  },
  {
    name: "pick",
    hint: "BRANCH",
    about: "go to a branch with its files",
    run(terminal, typed) {
      const line = moveLine(typed)
      const branch = line.argument
      if (branch === "") return terminal.show.branches()
      const make: TypedMove["make"] = (more) => terminal.session.pick(branch, more)
      return terminal.move({ doing: "Going there with its files", did: `Took ${branch} with its files`, line, make })
    },
  },
]

function moveRounds(terminal: CommandTerminal, way: "revert" | "bring", typed: string): unknown {
  const line = moveLine(typed)
  const { session } = terminal
  const rounds = line.argument.split(/\s+/).filter((word) => word !== "")
  const [first] = rounds
  if (first === undefined)
    throw invalid("A round is missing.", `Use: /${way} @2, with a number, an id or a label. See /rewind`)
  if (way === "bring" && rounds.length === 1 && isElsewhere(session, first)) {
    const make: TypedMove["make"] = (more) => session.bring(rounds, more)
    const files = { title: `Bring what was found on ${first}, and these files`, since: first }
    return terminal.move({ doing: "Bringing it", did: `Brought what is new on ${first}`, line, make, files })
  }
  const which = `of ${rounds.join(", ")}`
  const [doing, did, title] =
    way === "revert"
      ? ["Taking back changes", `File changes ${which} taken back`, `Take back the file changes ${which}`]
      : ["Making changes again", `File changes ${which} made again`, `Make the file changes ${which} again`]
  return terminal.move({
    doing,
    did,
    line,
    make: (more) => session[way](rounds, more),
    files: { title, since: first },
  })
}

function isElsewhere({ history, head }: SessionContents, name: string): boolean {
  const resolved = resolveEntry(history, head, name)
  return resolved.ok && !isOnPath(history, resolved.row, head)
}

/** One step after the other, until one fails or waits for an answer. */
async function take(terminal: CommandTerminal, way: "undo" | "redo", typed: string): Promise<void> {
  const line = moveLine(typed)
  const { session } = terminal
  const doing = way === "undo" ? "Undoing" : "Redoing"
  if (!/^[1-9]\d{0,8}$|^$/.test(line.argument))
    throw invalid(`"${line.argument}" is not a number of steps.`, `Use: /${way}, or /${way} 2`)
  for (let left = Number(line.argument || "1"); left > 0; left--) {
    const did = undoWords(session, way)
    const answer = await terminal.move({ doing, did, line, make: (more) => session[way](more) })
    if (answer?.outcome !== "moved") return
  }
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw invalid(`"${text}" is not a number of rounds.`, "Use: /back, or /back 2")
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
  revert: "taking back a round's file changes",
  bring: "making a round's file changes again",
}
