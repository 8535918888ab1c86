// A session that was typed, and rewound, in the program's own terminal.
import type { Program } from "../programs/program.ts"
import { difference } from "../said.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { landed } from "./moves.ts"
import { prompted, resumedAsShown } from "./reads.ts"

const [FIRST, SECOND, THIRD, OTHER] = [
  "Say something.",
  "Write and list.",
  "Say more.",
  "Do it in another way.",
] as const

const LEFT = [FIRST, SECOND, THIRD]
const TAKEN = [FIRST, OTHER]

/** Three prompts; then back to before the second, and another one. */
async function typeAndRewind(stage: Stage): Promise<void> {
  if (stage.load("typed")) return
  stage.clear()
  const { program, place } = stage
  await stage.inTerminal(async (terminal, { rewind = unknown }) => {
    await stage.typed(terminal, FIRST)
    await stage.typed(terminal, SECOND, [
      {
        text: "Both at once.",
        calls: [id(program.write(`${place.work}/typed.txt`, "typed\n")), id(program.shell("echo listed"))],
      },
      { text: "Both are done." },
    ])
    await stage.typed(terminal, THIRD)
    await rewind(terminal, SECOND)
    await stage.typed(terminal, OTHER)
  })
  stage.save("typed")
}

function unknown(): never {
  throw new Error("nobody knows how to rewind in it")
}

function cannot({ typed }: Program): string | undefined {
  return typed?.rewind === undefined ? "the cases do not know how to rewind in its terminal" : undefined
}

const typedRead: Case = {
  name: "typed",
  means: "retcon reads a session that was typed and rewound in the program's own terminal as the program resumes it",
  cannot,
  async differs(stage) {
    await typeAndRewind(stage)
    return landed(stage, TAKEN)
  },
}

/**
 * Each with the prompts that it leads to. `end`: the last entry of the branch that the program's own rewind abandoned.
 */
const STEPS: readonly [string, (end: string) => string[][], readonly string[]][] = [
  ["back", () => [["back"]], [FIRST]],
  ["goto the branch that was left", (end) => [["goto", end]], LEFT],
  ["undo", (end) => [["goto", end], ["undo"]], TAKEN],
  ["redo", (end) => [["goto", end], ["undo"], ["redo"]], LEFT],
]

const typedMoves: Case = {
  name: "typed, moves",
  means: "in such a session, the program follows back, goto to the branch that the rewind abandoned, undo and redo",
  cannot,
  async differs(stage) {
    for (const [name, moves, prompts] of STEPS) {
      await typeAndRewind(stage)
      for (const move of moves(stage.program.stays ? "" : await lastSaidAfter(stage, THIRD))) await stage.move(...move)
      const differs = await landed(stage, prompts)
      if (differs !== undefined) return `${name}: ${differs}`
    }
    return undefined
  },
}

const typedResume: Case = {
  name: "typed, resumed",
  means:
    "after a move, the program's own terminal also continues there, and typed prompts are still there when it resumes again",
  cannot,
  async differs(stage) {
    await typeAndRewind(stage)
    // A program that removes the branch that it leaves is one in which retcon does not move.
    await stage.move("goto", stage.program.stays ? "@1" : await lastSaidAfter(stage, THIRD))
    const shown = await stage.context()
    // No `?`, which is a key in some programs.
    const next = "Say what comes next."
    const sent = await stage.inTerminal((terminal) => stage.typed(terminal, next))
    const differs = stage.difference(sent, [...shown, { by: "user", text: next }])
    const held = difference(prompted(await stage.prompts()), prompted([...LEFT, next]))
    return differs ?? held ?? (await resumedAsShown(stage, "And after that?"))
  },
}

/** The entry with the answer to a prompt, wherever it is in the tree. */
async function lastSaidAfter(stage: Stage, prompt: string): Promise<string> {
  const found = await stage.search(`I heard: ${prompt}`)
  if (found === undefined) throw new Error(`nothing answers ${prompt}`)
  return found
}

/** Two prompts; saved; a third; brought back; and another one. */
async function bringBack(stage: Stage): Promise<void> {
  if (stage.load("saved")) return
  stage.clear()
  const { program, place } = stage
  await stage.inTerminal(async (terminal, { saved }) => {
    await stage.typed(terminal, FIRST)
    await stage.typed(terminal, SECOND, [
      {
        text: "Both at once.",
        calls: [id(program.write(`${place.work}/typed.txt`, "typed\n")), id(program.shell("echo listed"))],
      },
      { text: "Both are done." },
    ])
    await saved?.save(terminal)
    await stage.typed(terminal, THIRD)
    await saved?.bringBack(terminal)
    await stage.typed(terminal, OTHER)
  })
  stage.save("saved")
}

const savedTalk: Case = {
  name: "saved conversation",
  means:
    "after a saved conversation was brought back in the program's terminal, retcon reads what the program resumes; also after back, undo, and goto to the branch that was left",
  cannot: ({ typed }) => (typed?.saved === undefined ? "it saves no conversations under names" : undefined),
  async differs(stage) {
    const steps: [string, string[][], string[]][] = [
      ["as it is", [], [FIRST, SECOND, OTHER]],
      ["back", [["back"]], [FIRST, SECOND]],
      ["back and undo", [["back"], ["undo"]], [FIRST, SECOND, OTHER]],
    ]
    for (const [name, moves, left] of steps) {
      await bringBack(stage)
      for (const move of moves) await stage.move(...move)
      const differs = await landed(stage, left)
      if (differs !== undefined) return `${name}: ${differs}`
    }
    await bringBack(stage)
    await stage.move("goto", await lastSaidAfter(stage, THIRD))
    return landed(stage, LEFT)
  },
}

export const TYPED: readonly Case[] = [typedRead, typedMoves, typedResume, savedTalk]
