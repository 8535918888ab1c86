// The table of docs/hooks.md: what a restore brings back, names and leaves, for each way in which files change.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Moved } from "../../src/model/move/moved.ts"
import type { WireAnswer } from "../../test/provider/wire/server.ts"
import { escape, type Program } from "../programs/program.ts"
import type { Stage } from "../stage.ts"
import { until } from "../waits.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { needsTerminal } from "./places.ts"
import { SlowCommand } from "./slow-command.ts"

type Cell = "comes back" | "named" | "counted" | "stays"

const COLUMNS = ["edit tool", "shell command", "sub-agent's edit", "sub-agent's command", "background", "you"] as const
const PATHS: Record<(typeof COLUMNS)[number], string> = {
  "edit tool": "edited.txt",
  "shell command": "command.txt",
  "sub-agent's edit": "agent-edited.txt",
  "sub-agent's command": "agent-command.txt",
  background: "late.txt",
  you: "own.txt",
}

/** Long enough that the lines around a change tell where it was. */
const [ONE, TWO] = ["one", "two"].map((word) => `${"above\n".repeat(9)}${word}\n${"below\n".repeat(9)}`) as [
  string,
  string,
]
const ASKED = "Change the files."
const LATER = "Change one more, in the background."
const SUB_TASK = "Change the file of the sub-agent."

/** `asked`: each prompt is given to a program of its own, without a terminal. */
function comesBack(name: string, means: string, hooked: boolean, how: "typed" | "asked" = "typed"): Case {
  return {
    name,
    means,
    cannot: (program) =>
      (hooked ? program.noHooks : undefined) ?? (how === "typed" ? needsTerminal(program) : undefined),
    async differs(stage) {
      await change(stage, hooked, how)
      const { program } = stage
      const unhooked = (how === "asked" ? program.unhookedAsked : undefined) ?? program.unhooked ?? []
      if (!hooked && unhooked.length === 0) {
        await stage.move("restore", "@1")
        return "a restore is not refused"
      }
      const wanted = Object.fromEntries(COLUMNS.map((column, at) => [column, hooked ? HOOKED[at] : unhooked[at]]))
      const moved = (await stage.json("restore", "@1", "--dry-run")) as unknown as Moved
      const used = COLUMNS.filter((column) => {
        if (column === "background") return program.background !== undefined
        return !column.startsWith("sub-agent") || taskOf(program, how) !== undefined
      })
      for (const column of used) {
        const cell = cellOf(moved, column)
        if (cell !== wanted[column])
          return `${column}: it ${cell}, expected was that it ${wanted[column]}: ${said(moved)}`
      }
      await stage.move("restore", "@1")
      for (const column of used) {
        const content = readFileSync(join(stage.place.work, PATHS[column]), "utf8")
        if (content !== (wanted[column] === "comes back" ? ONE : TWO))
          return `${PATHS[column]} is not as the plan says: ${JSON.stringify(content.slice(54, 58))}`
      }
      return undefined
    },
  }
}

const HOOKED: readonly Cell[] = ["comes back", "comes back", "comes back", "comes back", "named", "stays"]

/** A sub-agent for which the program does not wait ends with it, so that it would change nothing. */
function taskOf({ task, taskStarted }: Program, how: "typed" | "asked"): Program["task"] {
  return how === "asked" && taskStarted !== undefined ? undefined : task
}

/** One of each, in a git repository. */
async function change(stage: Stage, hooked: boolean, how: "typed" | "asked"): Promise<void> {
  stage.clear()
  const { program, place } = stage
  const { shell, write, edit = (path) => write(path, TWO), read, taskAnswer = (text) => ({ text }) } = program
  const task = taskOf(program, how)
  for (const path of Object.values(PATHS)) writeFileSync(join(place.work, path), ONE)
  for (const words of ["init -q", "add .", "-c user.name=n -c user.email=e commit -qm one"])
    execFileSync("git", words.split(" "), { cwd: place.work })
  if (hooked) await stage.retcon("hooks", "install", program.hooks ?? "", "--yes")
  const slow = new SlowCommand(stage)
  const changes = (edited: string, commanded: string): WireAnswer[] => [
    ...(read === undefined ? [] : [{ calls: [id(read(join(place.work, edited)))] }]),
    { calls: [id(edit(join(place.work, edited), "one", "two"))] },
    { calls: [id(shell(`sed -i s/one/two/ ${commanded}`))] },
  ]
  const steps: WireAnswer[] = [
    ...changes(PATHS["edit tool"], PATHS["shell command"]),
    ...(task === undefined ? [] : [{ calls: [id(task(SUB_TASK))] }]),
    { text: "All is changed." },
  ]
  stage.model.script(SUB_TASK, [
    ...changes(PATHS["sub-agent's edit"], PATHS["sub-agent's command"]),
    taskAnswer("They are changed."),
  ])
  const changed = (name: string) =>
    until(
      () => readFileSync(join(place.work, name), "utf8") === TWO,
      () => `${name} did not change`,
    )
  const later = (command: string): WireAnswer[] | undefined =>
    program.background && [{ calls: [id(program.background(command))] }, { text: "It runs." }]
  const late = `sed -i s/one/two/ ${PATHS.background}`
  if (how === "asked") {
    await stage.ask(ASKED, steps)
    if (task !== undefined) await changed(PATHS["sub-agent's command"])
    // It must not wait for anything, because it may end with the program.
    const answers = later(late)
    if (answers !== undefined) await stage.ask(LATER, answers)
    if (answers !== undefined) await changed(PATHS.background)
  } else
    await stage.inTerminal(async (terminal, { ready }) => {
      await stage.typed(terminal, ASKED, steps)
      if (task !== undefined) await changed(PATHS["sub-agent's command"])
      const answers = later(slow.text(late))
      if (answers === undefined) return
      await stage.typed(terminal, LATER, answers)
      slow.end()
      await changed(PATHS.background)
      await terminal.sees(ready)
    })
  writeFileSync(join(place.work, PATHS.you), TWO)
}

/** What the answer says of a file. */
function cellOf({ files, kept, gaps }: Moved, column: (typeof COLUMNS)[number]): Cell {
  const [path, rounds] = [PATHS[column], gaps?.rounds ?? []]
  if (files.some((file) => file.path === path)) return "comes back"
  if (column === "you") return "stays"
  if (kept.some((file) => file.path === path) || rounds.some(({ named }) => named.includes(path))) return "named"
  const kind = column.startsWith("sub-agent") ? "agents" : "commands"
  return rounds.some((round) => round[kind] > 0) ? "counted" : "stays"
}

function said({ files, kept, gaps }: Moved): string {
  return JSON.stringify({ files: files.map(({ path }) => path), kept: kept.map(({ path }) => path), gaps })
}

const cutOff: Case = {
  name: "interrupted, hooks",
  means:
    "with hooks, after Esc in the middle of a command, a restore brings back what it had changed, or names it; what the person changed afterwards stays",
  cannot: (program) => program.noHooks ?? needsTerminal(program),
  async differs(stage) {
    stage.clear()
    const { program, place } = stage
    const [command, own] = [PATHS["shell command"], PATHS.you]
    for (const path of [command, own]) writeFileSync(join(place.work, path), ONE)
    await stage.retcon("hooks", "install", program.hooks ?? "", "--yes")
    const slow = new SlowCommand(stage)
    await stage.inTerminal(async (terminal, { ready, interrupt = escape }) => {
      const calls = [id(program.shell(`sed -i s/one/two/ ${command}; ${slow.text("true")}`))]
      await stage.enter(terminal, ASKED, [{ text: "I wait.", calls }])
      await slow.begun()
      await interrupt(terminal)
      await terminal.sees(ready)
      writeFileSync(join(place.work, own), TWO)
      slow.end()
      await stage.typed(terminal, "Say more.")
    })
    const moved = (await stage.json("restore", "@1", "--dry-run")) as unknown as Moved
    const cell = cellOf(moved, "shell command")
    if (cell !== "comes back" && cell !== "named") return `${command} ${cell}: ${said(moved)}`
    await stage.move("restore", "@1")
    const now = [command, own].map((path) => readFileSync(join(place.work, path), "utf8"))
    const wanted = [cell === "comes back" ? ONE : TWO, TWO]
    return now.join() === wanted.join() ? undefined : `the files are not as the plan says: ${said(moved)}`
  },
}

export const COMES_BACK: readonly Case[] = [
  comesBack(
    "what comes back, hooks",
    "after edits, a command, a sub-agent, a command in the background and the person's own change, a restore brings back, names and leaves what hooks.md says",
    true,
  ),
  comesBack("what comes back, no hooks", "the same without hooks", false),
  comesBack(
    "what comes back, -p",
    "the same without hooks and without a terminal, as `claude -p` works",
    false,
    "asked",
  ),
  cutOff,
]
