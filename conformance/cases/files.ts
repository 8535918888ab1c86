// With retcon's hooks, every prompt has its files: whatever changed them, but nothing that the person did.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { WireAnswer } from "../../test/provider/wire/server.ts"
import type { Program } from "../programs/program.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { landed } from "./moves.ts"

type Files = Record<string, string>

interface Round {
  prompt: string
  answers: (program: Program, work: string) => WireAnswer[] | undefined
}

const DONE = { text: "Done." }
const CHANGES = "echo changed >> edited.txt; echo made > made.txt; rm old.txt"
const SUB_TASK = "Write the file of the sub-agent."

const ROUNDS: readonly Round[] = [
  {
    prompt: "Write a file and edit it.",
    answers: ({ write, edit }, work) => {
      const path = join(work, "edited.txt")
      const edited = edit === undefined ? [] : [{ calls: [id(edit(path, "one", "two"))] }]
      return [{ calls: [id(write(path, "one\n"))] }, ...edited, DONE]
    },
  },
  {
    prompt: "Run a command that changes, makes and removes files.",
    answers: ({ shell }) => [{ calls: [id(shell(CHANGES))] }, DONE],
  },
  {
    prompt: "Have a sub-agent write a file.",
    answers: ({ task }) => (task === undefined ? undefined : [{ calls: [id(task(SUB_TASK))] }, DONE]),
  },
  {
    prompt: "Do three things at once.",
    answers: ({ write, shell }, work) => [
      {
        calls: [
          id(write(join(work, "one.txt"), "1\n")),
          id(shell("echo 2 > two.txt; echo 2 >> edited.txt")),
          id(write(join(work, "three.txt"), "3\n")),
        ],
      },
      DONE,
    ],
  },
  {
    prompt: "Run one more after the summary.",
    answers: ({ shell }) => [{ calls: [id(shell("echo last > last.txt; rm one.txt; echo last >> edited.txt"))] }, DONE],
  },
]

/** The program summarises before this round. */
const SUMMARISED = 4

/** What the person writes, while the agent works and afterwards. */
const PERSON = "person.txt"

export const filesOfHooks: Case = {
  name: "files with hooks",
  means:
    "with hooks, `goto` with files restores exactly the files from before each prompt, across edits, commands, a sub-agent, parallel calls and a compaction; the person's changes stay, and undo restores everything",
  cannot: ({ hooks, noHooks }) => (hooks === undefined ? noHooks : undefined),
  async differs(stage) {
    const before = await work(stage)
    const [end, prompts] = [filesIn(stage.place.work), await stage.prompts()]
    const place = (prompt: string) => `@${prompts.indexOf(prompt) + 1}`
    for (const [prompt, files] of before) {
      const because = await differsAt(stage, place(prompt), { ...files, [PERSON]: "mine, edited again\n" }, end)
      if (because !== undefined) return `before ${JSON.stringify(prompt)}: ${because}`
    }
    if (stage.program.stays !== undefined) return undefined
    const [, second = ""] = before.keys()
    await stage.move("goto", place(second), "--files", "restore")
    return landed(stage, [...before.keys()].slice(0, 1))
  },
}

/** Returns the files before each prompt. */
async function work(stage: Stage): Promise<Map<string, Files>> {
  stage.clear()
  const { program, place } = stage
  await stage.retcon("hooks", "install", program.hooks ?? "", "--yes")
  writeFileSync(join(place.work, "old.txt"), "old\n")
  writeFileSync(join(place.work, PERSON), "mine\n")
  stage.model.script(SUB_TASK, [{ calls: [id(program.write(join(place.work, "sub.txt"), "sub\n"))] }, DONE])
  const before = new Map<string, Files>()
  for (const [index, { prompt, answers }] of ROUNDS.entries()) {
    const scripted = answers(program, place.work)
    if (scripted === undefined) continue
    if (index === SUMMARISED) await stage.compact()
    before.set(prompt, filesIn(place.work))
    await stage.ask(prompt, scripted)
    writeFileSync(join(place.work, PERSON), `mine, after ${index}\n`)
  }
  writeFileSync(join(place.work, PERSON), "mine, edited again\n")
  const log = join(place.home, ".retcon/hooks.log")
  if (existsSync(log)) throw new Error(`hooks failed: ${readFileSync(log, "utf8").slice(0, 400)}`)
  return before
}

async function differsAt(stage: Stage, to: string, wanted: Files, end: Files): Promise<string | undefined> {
  const { stays, needsPrompt } = stage.program
  const isReached = stays === undefined && !(needsPrompt === true && to === "@1")
  if (isReached) await stage.move("goto", to, "--files", "restore")
  else await stage.move("restore", to)
  const there = different(filesIn(stage.place.work), wanted)
  if (there !== undefined) return there
  await stage.move("undo")
  const back = different(filesIn(stage.place.work), end)
  return back === undefined ? undefined : `after undo, ${back}`
}

function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"))
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]))
}

function different(there: Files, wanted: Files): string | undefined {
  const names = [...new Set([...Object.keys(there), ...Object.keys(wanted)])]
  const name = names.find((each) => there[each] !== wanted[each])
  const shown = (text: string | undefined) => (text === undefined ? "not there" : JSON.stringify(text))
  return name === undefined ? undefined : `${name} is ${shown(there[name])}, wanted was ${shown(wanted[name])}`
}
