// A conversation continued in the page is in the program's own session, and the program follows Back in the page.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as passed } from "node:timers/promises"
import type { Scripted } from "../model/fake-model.ts"
import { promptIn } from "../model/fake-model.ts"
import type { Program } from "../programs/program.ts"
import type { Ask, Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse, id } from "./conversation.ts"

const isDriven = ({ driven }: Program) => (driven === undefined ? "retcon does not drive it" : undefined)

/** The program's session in the page. */
interface Page {
  /** Sends a prompt, and returns when it has been answered. */
  say: (prompt: string, answers?: Scripted[]) => Promise<void>
  /** Sends a prompt whose answer never ends, and returns when that has begun. */
  begin: (prompt: string) => Promise<void>
  ask: Ask
  /** What differs between what the model gets with the next prompt, and what retcon shows. */
  differs: (prompt: string) => Promise<string | undefined>
}

async function page(stage: Stage, work: (page: Page) => Promise<string | undefined>): Promise<string | undefined> {
  await converse(stage)
  return stage.served(async (ask) => {
    const { sessions } = (await ask(`sessions?agent=${stage.program.agent}`)) as { sessions: { id: string }[] }
    const session = `sessions/${sessions[0]?.id}`
    const say = async (prompt: string, answers: Scripted[] = [{ text: `I heard: ${prompt}` }]): Promise<void> => {
      stage.model.script(prompt, answers)
      const answer = JSON.stringify(await ask(`${session}/converse`, { text: prompt, wait: true }))
      const [, seconds] = /can continue this session in (\d+) s/.exec(answer) ?? []
      if (seconds === undefined) return
      await passed((Number(seconds) + 1) * 1000)
      await say(prompt, answers)
    }
    return work({
      say,
      ask: (path, body) => ask(`${session}/${path}`, body),
      async begin(prompt) {
        stage.model.script(prompt, [{ text: "This answer begins, and it never comes to its end.", hangs: true }])
        const since = stage.model.count
        await ask(`${session}/converse`, { text: prompt })
        await stage.model.arrives(since, (said) => promptIn(said, prompt) >= 0)
      },
      async differs(prompt) {
        const shown = await stage.context()
        const since = stage.model.count
        await say(prompt)
        const sent = stage.model.asked(prompt, since)
        if (sent === undefined) return "the prompt did not reach the model"
        return stage.difference(sent, [...shown, { by: "user", text: prompt }])
      },
    })
  })
}

const moves = ({ stays, ...program }: Program) =>
  isDriven(program) ?? (stays === true ? "retcon does not move in its sessions" : undefined)

export const served: Case = {
  name: "page",
  means:
    "`retcon serve` sends a prompt to the program itself, in its own session; after Back the next prompt continues from there, as retcon shows it",
  cannot: moves,
  differs: (stage) =>
    page(stage, async ({ say, ask, differs }) => {
      await say("Said in the page.")
      await ask("back", { rounds: 2 })
      return differs("Another way, in the page.")
    }),
}

export const stopped: Case = {
  name: "page, stopped",
  means: "Stop in the page ends an answer within a second, and the next prompt has what retcon shows",
  cannot: isDriven,
  differs: (stage) =>
    page(stage, async ({ say, begin, ask, differs }) => {
      await say("Said before the stop.")
      await begin("This is stopped.")
      const before = performance.now()
      await ask("stop", {})
      const took = performance.now() - before
      if (took > 1500) return `it took ${Math.round(took)} ms`
      return differs("Said after the stop.")
    }),
}

export const interruptedBack: Case = {
  name: "page, back while it answers",
  means:
    "Back in the page while the program answers ends the program and goes back; the next prompt continues from there",
  cannot: moves,
  differs: (stage) =>
    page(stage, async ({ say, begin, ask, differs }) => {
      await say("Said before the move.")
      await begin("This is left.")
      await ask("back", { rounds: 2 })
      return differs("Said after the move.")
    }),
}

export const drivenFiles: Case = {
  name: "page, files",
  means:
    "Back of two rounds that wrote files in the page removes the files without hooks; Undo brings them back, Redo removes them again",
  cannot: moves,
  differs: (stage) =>
    page(stage, async ({ say, ask, differs }) => {
      const files = ["three.txt", "four.txt"].map((name) => join(stage.place.work, name))
      for (const file of files)
        await say(`Write ${file}.`, [
          { calls: [id(stage.program.write(file, "written\n"))] },
          { text: "It is written." },
        ])
      const there = () => files.map((file) => existsSync(file)).join()
      const seen = [there()]
      for (const [move, request] of MOVES) {
        await ask(move, { ...request, files: "restore" })
        seen.push(there())
      }
      const wanted = ["true,true", "false,false", "true,true", "false,false"]
      if (seen.join(" ") !== wanted.join(" ")) return `the files were there as follows: ${seen.join(" ")}`
      return differs("Said after the moves.")
    }),
}

const MOVES = [
  ["back", { rounds: 2 }],
  ["undo", {}],
  ["redo", {}],
] as const
