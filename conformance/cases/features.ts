// What people do in a program's terminal besides typing prompts, and what its agent does besides answering them.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { bang, escape } from "../programs/program.ts"
import { difference } from "../said.ts"
import type { Stage } from "../stage.ts"
import { within } from "../waits.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { differsSomewhere, needsTerminal } from "./places.ts"
import { prompted } from "./reads.ts"
import { SlowCommand } from "./slow-command.ts"

const [FIRST, LAST] = ["Say something.", "Say more."]

/** Typed prompts must be listed as such; then every place counts. */
async function heldThroughout(stage: Stage, name: string, prompts: readonly string[]): Promise<string | undefined> {
  return difference(prompted(await stage.prompts()), prompted(prompts)) ?? differsSomewhere(stage, name)
}

const mentioned: Case = {
  name: "file in a prompt",
  means:
    "after a prompt with `@` and a file's name, retcon shows what the program sends of that file, and at every place the program resumes, or retcon refuses",
  cannot: needsTerminal,
  async differs(stage) {
    stage.clear()
    writeFileSync(join(stage.place.work, "notes.txt"), "A note,\nin two lines.\n")
    const asked = "Look at @notes.txt please."
    await stage.inTerminal(async (terminal) => {
      await stage.typed(terminal, asked, [{ text: "I looked." }])
      await stage.typed(terminal, LAST)
    })
    return heldThroughout(stage, "mentioned", [asked, LAST])
  },
}

const shellLine: Case = {
  name: "shell line",
  means: "the same after a line with `!`, which runs a command",
  cannot: needsTerminal,
  async differs(stage) {
    stage.clear()
    await stage.inTerminal(async (terminal, { shellLine = bang }) => {
      await stage.typed(terminal, FIRST)
      // The screen has the command as well as what it says.
      await shellLine(terminal, "echo six times seven is $((6*7))", "seven is 42")
      await stage.typed(terminal, LAST)
    })
    if (!(await stage.context()).some(({ text }) => text.includes("seven is 42")))
      return "the context does not have what the command said"
    return heldThroughout(stage, "shell line", [FIRST, LAST])
  },
}

const [ANSWERED, CALLED] = ["Answer at length.", "Run something slow."]

const interrupted: Case = {
  name: "interrupted",
  means: "the same after Esc in the middle of an answer, and in the middle of a command",
  cannot: needsTerminal,
  async differs(stage) {
    stage.clear()
    const { program } = stage
    const begins = "This answer begins here."
    await stage.inTerminal(async (terminal, { ready, interrupt = escape }) => {
      await stage.typed(terminal, FIRST)
      const long = Array.from({ length: 30 }, (_, index) => `Sentence ${index} goes on.`)
      const request = await stage.enter(terminal, ANSWERED, [{ text: [begins, ...long].join("\n\n"), hangs: true }])
      await terminal.glimpses(begins)
      await interrupt(terminal)
      await within(request.gone, "the program leaves the answer")
      await terminal.sees(ready)
      const slow = new SlowCommand(stage)
      await stage.enter(terminal, CALLED, [{ text: "I wait.", calls: [id(program.shell(slow.text("echo over")))] }])
      await slow.begun()
      await interrupt(terminal)
      await terminal.sees(ready)
      slow.end()
      await stage.typed(terminal, LAST)
    })
    const answered = program.typed?.takesBack === true ? [] : [ANSWERED]
    return heldThroughout(stage, "interrupted", [FIRST, ...answered, CALLED, LAST])
  },
}

const longResult: Case = {
  name: "long result",
  means: "the same after a command that prints more than the program sends to its model",
  async differs(stage) {
    stage.clear()
    const { program } = stage
    const asked = "List very much."
    await stage.ask(asked, [{ text: "I list.", calls: [id(program.shell("seq 1 60000"))] }, { text: "It is long." }])
    await stage.ask(LAST)
    return heldThroughout(stage, "long result", [asked, LAST])
  },
}

const STARTED = "Start something."

const inBackground: Case = {
  name: "background command",
  means:
    "the same, with retcon's hooks where it has them, after a command that ran on while the agent waited for the next prompt",
  cannot: (program) => needsTerminal(program) ?? program.noBackground,
  async differs(stage) {
    stage.clear()
    const { hooks, background = unknown, notifies } = stage.program
    if (hooks !== undefined) await stage.retcon("hooks", "install", hooks, "--yes")
    const slow = new SlowCommand(stage)
    await stage.inTerminal(async (terminal, { ready }) => {
      const calls = [id(background(slow.text("echo late")))]
      await stage.typed(terminal, STARTED, [{ text: "I start it.", calls }, { text: "It runs." }])
      await slow.begun()
      const since = stage.model.count
      slow.end()
      // Some programs tell their model at once.
      if (notifies !== undefined)
        await within(
          stage.model.arrives(since, (said) => said.some(({ text }) => text.includes(notifies))),
          `the model gets ${notifies}`,
        )
      await terminal.sees(ready)
      await stage.typed(terminal, LAST)
    })
    return heldThroughout(stage, "background", [STARTED, LAST])
  },
}

function unknown(): never {
  throw new Error("nobody knows how to run a command in the background there")
}

export const FEATURES: readonly Case[] = [mentioned, shellLine, interrupted, longResult, inBackground]
