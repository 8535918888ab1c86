// A move that was interrupted at any point, by a kill or a power cut, as the program and retcon see it afterwards.
import { readFileSync, writeFileSync } from "node:fs"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse, PROMPTS } from "./conversation.ts"
import { resumedAsShown } from "./reads.ts"

const [first, second, third] = PROMPTS
const AFTER = "Go on after the summary."

interface CutMove {
  name: string
  /** What precedes it. False: it cannot be made in this program. */
  begin: (stage: Stage) => Promise<boolean>
  move: string[]
  /** What is on the path afterwards. */
  to: readonly string[]
}

const MOVES: readonly CutMove[] = [
  { name: "back", begin: async () => true, move: ["back"], to: [first, second, third] },
  {
    name: "undo",
    async begin(stage) {
      await stage.move("back", "2")
      return true
    },
    move: ["undo"],
    to: PROMPTS,
  },
  {
    name: "behind a compaction",
    async begin(stage) {
      if (typeof stage.program.compacts === "string") return false
      await stage.compact()
      await stage.ask(AFTER)
      return true
    },
    move: ["goto", "@3"],
    to: [first, second],
  },
]

export const killedMove: Case = {
  name: "killed move",
  means:
    "if a move is cut off before, within or after any of its lines, with or without retcon's own record, the program resumes either where it was or at the target, as retcon shows",
  async differs(stage) {
    for (const each of MOVES) {
      const because = await differsWhenCut(stage, each)
      if (because !== undefined) return `${each.name}, ${because}`
    }
    return undefined
  },
}

async function differsWhenCut(stage: Stage, { name, begin, move, to }: CutMove): Promise<string | undefined> {
  await converse(stage)
  if (!(await begin(stage))) return undefined
  const file = await stage.lines()
  const [start, from] = [readFileSync(file), await stage.prompts()]
  stage.save(`before ${name}`)
  await stage.move(...move)
  const end = readFileSync(file)
  if (!end.subarray(0, start.length).equals(start)) return "the move changed what was there"
  stage.save(`after ${name}`)
  for (const { length, recorded } of states(end.subarray(start.length))) {
    stage.load(`${recorded ? "after" : "before"} ${name}`)
    writeFileSync(file, end.subarray(0, start.length + length))
    const held = await stage.prompts()
    const where = `cut after ${length} of ${end.length - start.length} bytes, ${recorded ? "with" : "without"} its record`
    if (![from, to].some((prompts) => same(prompts, held))) return `${where}: it holds ${JSON.stringify(held)}`
    const because = await resumedAsShown(stage)
    if (because !== undefined) return `${where}: ${because}`
  }
  return undefined
}

/** How many bytes of the lines are there, and whether our record, which is written first, is. */
function states(lines: Buffer): { length: number; recorded: boolean }[] {
  const lengths = [0, ...cutsIn(lines)]
  const lost = [lengths[1] ?? 0, lines.length]
  return [
    ...lengths.map((length) => ({ length, recorded: true })),
    ...lost.map((length) => ({ length, recorded: false })),
  ]
}

/** In the middle of each line, before its newline and after it. */
function cutsIn(lines: Buffer): number[] {
  const cuts: number[] = []
  for (let start = 0; start < lines.length; ) {
    const newline = lines.indexOf(10, start)
    const end = newline < 0 ? lines.length : newline
    cuts.push(start + Math.floor((end - start) / 2), end, end + 1)
    start = end + 1
  }
  return cuts
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
