// A conversation continued in the page is in the program's own session, and the program follows what is done in the page.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Program } from "../programs/program.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { PNG } from "./exports.ts"
import { goesOn, inPage, isDriven, movesDriven, type Page, page } from "./in-page.ts"

const served: Case = {
  name: "page",
  means:
    "`retcon serve` sends a prompt to the program itself, in its own session; after Back the next prompt continues from there, as retcon shows it",
  cannot: movesDriven,
  differs: (stage) =>
    page(stage, async ({ say, ask, differs }) => {
      await say("Said in the page.")
      await ask("back", { rounds: 2 })
      return differs("Another way, in the page.")
    }),
}

const stopped: Case = {
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

const interruptedBack: Case = {
  name: "page, back while it answers",
  means:
    "Back in the page while the program answers ends the program and goes back; the next prompt continues from there",
  cannot: movesDriven,
  differs: (stage) =>
    page(stage, async ({ say, begin, ask, differs }) => {
      await say("Said before the move.")
      await begin("This is left.")
      await ask("back", { rounds: 2 })
      return differs("Said after the move.")
    }),
}

const drivenFiles: Case = {
  name: "page, files",
  means:
    "Back of two rounds that wrote files in the page removes the files without hooks; Undo brings them back, Redo removes them again",
  cannot: movesDriven,
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

const begun: Case = {
  name: "page, new",
  means: "a new session with the program begins in the page with its first prompt, and goes on there",
  cannot: isDriven,
  differs(stage) {
    stage.clear()
    const { agent } = stage.program
    return stage.served(async (served) => {
      const text = "Said first of all."
      stage.model.script(text, [{ text: `I heard: ${text}` }])
      const made = (await served.ask("sessions", { cwd: stage.place.work, agent, prompt: { text } })) as { id: string }
      stage.forget()
      const { rests, say, differs } = inPage(stage, served, made.id)
      await rests()
      await say("Said second.")
      return differs("Said third.")
    })
  },
}

const leftBranch: Case = {
  name: "page, left branch",
  means: "in the page, goto returns to a branch that was left, and the next prompt continues there",
  cannot: movesDriven,
  differs: (stage) =>
    page(stage, async ({ say, ask, differs }) => {
      await say("Said on one branch.")
      const end = (await stage.entries()).at(-1)?.id
      await ask("back", { rounds: 2 })
      await say("Said on another branch.")
      await ask("goto", { entry: end })
      return differs("Said on the first branch again.")
    }),
}

const mayAsk = (program: Program) => isDriven(program) ?? program.noQuestions

/** Writes a file for a prompt; `answered`: how the question is answered, if there is one. */
async function writes(
  { say, question, ask }: Page,
  [program, file]: [Program, string],
  answered?: (question: Awaited<ReturnType<Page["question"]>>) => object,
): Promise<boolean> {
  const call = program.driven?.asks?.by === "shell" ? program.shell(`touch ${file}`) : program.write(file, "written\n")
  const done = say(`Write ${file}.`, [{ calls: [id(call)] }, { text: "So be it." }])
  if (answered !== undefined) {
    const asked = await question()
    await ask(`approvals/${asked.approval}`, answered(asked))
  }
  await done
  return existsSync(file)
}

function questions(
  name: string,
  means: string,
  differs: (
    page: Page,
    write: (name: string, ...answered: [object?]) => Promise<boolean>,
  ) => Promise<string | undefined>,
): Case {
  return {
    name,
    means,
    cannot: mayAsk,
    differs: (stage) =>
      page(
        stage,
        async (shown) => {
          const { program, place } = stage
          const { mode } = program.driven?.asks ?? {}
          await shown.say("Said before the question.")
          if (mode !== undefined) await shown.ask("choose", { what: "mode", value: mode })
          const write = (file: string, answer?: object) =>
            writes(shown, [program, join(place.work, file)], answer && (() => answer))
          return (await differs(shown, write)) ?? shown.differs("Said after the question.")
        },
        { asks: true },
      ),
  }
}

const allowed = questions(
  "page, question allowed",
  "before it writes a file the program asks in the page; allowed once, it writes, and the model gets what retcon shows",
  async (_, write) => ((await write("asked.txt", { answer: "once" })) ? undefined : "the file was not written"),
)

const refused = questions("page, question refused", "refused, it does not write", async (_, write) =>
  (await write("asked.txt", { answer: "no" })) ? "the file was written" : undefined,
)

const always = questions(
  "page, question always",
  "allowed always, as the program words it, it does not ask about the next file",
  async (_, write) => {
    if (!(await write("asked.txt", { answer: "session" }))) return "the first file was not written"
    return (await write("asked.txt")) ? undefined : "the second file was not written"
  },
)

const image: Case = {
  name: "page, image",
  means: "an image in a prompt reaches the model, and is in what retcon shows",
  cannot: (program) => isDriven(program) ?? program.noImages,
  differs: (stage) =>
    page(stage, async ({ say, differs }) => {
      const since = stage.model.count
      const prompt = "What is this?"
      await say(prompt, [{ text: "A dot." }], { media: [{ type: "image", mediaType: "image/png", data: PNG }] })
      const sent = stage.model.asked(prompt, since)
      if (sent === undefined) return "the prompt did not reach the model"
      if (!sent.some(({ text }) => text.startsWith("[image/"))) return "the image did not reach the model"
      return differs("Said after the image.")
    }),
}

const secondFrontEnd: Case = {
  name: "page, second front end",
  means:
    "while the page's program answers, `retcon run` beside it is refused; afterwards it continues the same session, and the page continues from there",
  cannot: isDriven,
  differs: (stage) =>
    page(stage, async ({ begin, ask, say, beside, differs }) => {
      await say("Said in the page.")
      const file = (await stage.session())?.file ?? ""
      const run = (prompt: string) => {
        stage.model.script(prompt, [{ text: `I heard: ${prompt}` }])
        return beside("run", "-r", file, "--json", prompt)
      }
      await begin("This is stopped.")
      const early = await run("Said too early.")
      if (early.exit === 0) return "a second program worked in the session at the same time"
      await ask("stop", {})
      const late = await run("Said beside the page.")
      if (late.exit !== 0) return `the second front end was refused: ${late.err} ${late.out}`
      const told = (await stage.prompts()).at(-1)
      if (told !== "Said beside the page.") return `the last prompt is ${told}`
      return differs("Said in the page again.")
    }),
}

const retconKilled: Case = {
  name: "page, retcon killed",
  means: "if retcon is killed while the program answers, no process is left, and the next prompt has what retcon shows",
  cannot: isDriven,
  async differs(stage) {
    const because = await page(stage, async ({ begin, kill, say }) => {
      await say("Said before the end.")
      await begin("This is cut off.")
      await kill()
      return undefined
    })
    if (because !== undefined) return because
    return goesOn(stage, ({ differs }) => differs("Said after the end."))
  },
}

const programKilled: Case = {
  name: "page, program killed",
  means: "if the program is killed while it answers, the turn has failed, and the next prompt has what retcon shows",
  cannot: isDriven,
  differs: (stage) =>
    page(stage, async ({ say, begin, killProgram, rests, differs }) => {
      await say("Said before the end.")
      await begin("This is cut off.")
      killProgram()
      await rests()
      return differs("Said after the end.")
    }),
}

export const SERVED: readonly Case[] = [
  begun,
  served,
  leftBranch,
  stopped,
  interruptedBack,
  drivenFiles,
  allowed,
  refused,
  always,
  image,
  secondFrontEnd,
  retconKilled,
  programKilled,
]
