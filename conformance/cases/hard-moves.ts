// Moves where it is hard: over a summary, into a round, in a file that was cut off, after a sub-agent, beside hooks.
import { appendFileSync } from "node:fs"
import type { Case } from "./case.ts"
import { converse, id, PROMPTS } from "./conversation.ts"
import { landed } from "./moves.ts"

const [first, second, third, fourth] = PROMPTS

const behindCompaction: Case = {
  name: "behind a compaction",
  means: "`retcon goto` leads to before a summary, and the program resumes with what stood there",
  cannot: ({ compacts, stays }) => stays ?? (typeof compacts === "string" ? compacts : undefined),
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
  means: "moves to before a round with calls that were made at once, and to its end again, leave every call and result",
  cannot: ({ stays }) => stays,
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
  means: "a move in a file whose last line was cut off is followed, too",
  cannot: ({ stays }) => stays,
  async differs(stage) {
    await converse(stage)
    appendFileSync(await stage.lines(), '{"type":"user","message":{"role":"user","con')
    await stage.move("back")
    return landed(stage, [first, second, third])
  },
}

const subAgent: Case = {
  name: "sub-agent",
  means: "a round with a sub-agent is read as it is sent, and a move over it and back again is followed",
  cannot: ({ stays, task }) => stays ?? (task === undefined ? "the case starts no sub-agent in it" : undefined),
  async differs(stage) {
    await converse(stage)
    stage.model.script("Count the files.", [{ text: "There are two." }])
    const { task } = stage.program
    if (task === undefined) return undefined
    const asked = "Have the files counted."
    await stage.ask(asked, [{ text: "I have it done.", calls: [id(task("Count the files."))] }, { text: "Two." }])
    await stage.move("back")
    await stage.move("undo")
    return landed(stage, [first, second, third, fourth, asked])
  },
}

const hooks: Case = {
  name: "hooks installed",
  means: "with retcon's hooks in its settings the program resumes after moves as without, also before the first prompt",
  cannot: ({ stays, hooks }) => stays ?? (hooks === undefined ? "retcon has no hooks for it" : undefined),
  async differs(stage) {
    stage.clear()
    await stage.retcon("hooks", "install", stage.program.hooks ?? "", "--yes")
    await stage.ask(first)
    await stage.ask(second)
    await stage.move("back")
    const differs = await landed(stage, [first])
    if (differs !== undefined) return differs
    await stage.move("goto", "start")
    return landed(stage, [])
  },
}

export const HARD_MOVES: readonly Case[] = [behindCompaction, parallelCalls, subAgent, tornLine, hooks]
