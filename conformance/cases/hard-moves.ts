// Hard moves: across a summary, into a round, in a file that was cut off, after a sub-agent, beside hooks.
import { appendFileSync } from "node:fs"
import type { Case } from "./case.ts"
import { converse, id, PROMPTS } from "./conversation.ts"
import { landed } from "./moves.ts"

const [first, second, third, fourth] = PROMPTS

const behindCompaction: Case = {
  name: "behind a compaction",
  means: "`retcon goto` goes to before a summary, and the program resumes with the messages there",
  cannot: ({ compacts }) => (typeof compacts === "string" ? compacts : undefined),
  async differs(stage) {
    await converse(stage)
    await stage.compact()
    await stage.ask("Go on after the summary.")
    await stage.move("goto", "@3")
    return landed(stage, [first, second])
  },
}

const parallelCalls: Case = {
  name: "parallel calls",
  means: "moving to before a round with parallel calls, and to its end again, keeps every call and result",
  async differs(stage) {
    await converse(stage)
    await stage.move("back")
    const end = (await stage.entries()).at(-1)?.id ?? ""
    await stage.move("goto", "@3")
    await stage.move("goto", end)
    return landed(stage, [first, second, third])
  },
}

const tornLine: Case = {
  name: "torn last line",
  means: "the program follows a move in a file whose last line was cut off",
  async differs(stage) {
    await converse(stage)
    appendFileSync(await stage.lines(), '{"type":"user","message":{"role":"user","con')
    await stage.move("back")
    return landed(stage, [first, second, third])
  },
}

const subAgent: Case = {
  name: "sub-agent",
  means:
    "retcon reads a round with a sub-agent as the program sends it, and the program follows a move past it and back",
  cannot: ({ task, noTask }) => (task === undefined ? noTask : undefined),
  async differs(stage) {
    await converse(stage)
    const { task, taskAnswer = (text) => ({ text }), taskStarted = "There are two.", stays } = stage.program
    if (task === undefined) return undefined
    stage.model.script("Count the files.", [taskAnswer("There are two.")])
    const asked = "Have the files counted."
    await stage.ask(asked, [{ text: "I have it done.", calls: [id(task("Count the files."))] }, { text: "Two." }])
    const context = await stage.context()
    if (!context.some(({ by, text }) => by !== "call" && text.includes(taskStarted)))
      return `no sub-agent has answered: ${context.findLast(({ by }) => by === "result")?.text}`
    if (stays === undefined) {
      await stage.move("back")
      await stage.move("undo")
    }
    return landed(stage, [first, second, third, fourth, asked])
  },
}

const hooks: Case = {
  name: "hooks installed",
  means:
    "with retcon's hooks installed, the program resumes after moves as it does without them, even before the first prompt, where it can",
  cannot: ({ hooks, noHooks }) => (hooks === undefined ? noHooks : undefined),
  async differs(stage) {
    stage.clear()
    await stage.retcon("hooks", "install", stage.program.hooks ?? "", "--yes")
    await stage.ask(first)
    await stage.ask(second)
    await stage.move("back")
    const differs = await landed(stage, [first])
    if (differs !== undefined || stage.program.needsPrompt === true) return differs
    await stage.move("goto", "start")
    return landed(stage, [])
  },
}

export const HARD_MOVES: readonly Case[] = [behindCompaction, parallelCalls, subAgent, tornLine, hooks]
