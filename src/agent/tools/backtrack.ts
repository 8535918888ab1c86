// Backtrack: checks the request. The runner makes the move itself, once the step has ended.
import { z } from "zod"
import { failure, type Tool, toolText } from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"

const schema = z.object({
  checkpoint_id: z.int().describe("The number of the checkpoint to go back to"),
  note: z.string().trim().min(1).describe("What your future self must know"),
  restore_files: z.boolean().optional().describe("Take back your changes to files too; the person is asked"),
})

/** Seen only if the move did not happen after all. */
const DID_NOT_HAPPEN =
  "The backtrack did not happen: the conversation continues from here, with everything in it. Call it again if you still want it."

/** A checkpoint the agent can name, and how often it has gone back to it since the person last said something. */
export interface NamedCheckpoint {
  n: number
  times: number
}

/** Going back to the same place more often leads nowhere: the model only reads the same things again. */
const MOST_TIMES = 2

/** `possible`: the checkpoints that can be named now, in order. */
export function backtrackTool(possible: () => readonly NamedCheckpoint[]): Tool<z.infer<typeof schema>> {
  return defineTool({
    name: "Backtrack",
    description: toolText(import.meta.url, "backtrack"),
    schema,
    effect: "reads",
    effects: (input) =>
      input.restore_files === true
        ? { effect: "writes", paths: [], anywhere: true }
        : { effect: "reads", paths: [], anywhere: false },
    preview: async (input) => ({
      action:
        input.restore_files === true
          ? { kind: "restore", checkpoint: input.checkpoint_id }
          : { kind: "other", input: { ...input, restore_files: false } },
      title: `Backtrack to checkpoint ${input.checkpoint_id}${input.restore_files === true ? ", with files" : ""}`,
      ...problem(input.checkpoint_id, possible()),
    }),
    run: async (input) => {
      const refused = problem(input.checkpoint_id, possible())
      if (refused.problem !== undefined) return failure(refused.problem)
      const { checkpoint_id: checkpoint, note, restore_files } = input
      return { output: DID_NOT_HAPPEN, backtrack: { checkpoint, note, restoreFiles: restore_files === true } }
    },
  })
}

function problem(checkpoint: number, possible: readonly NamedCheckpoint[]): { problem?: string } {
  const found = possible.find(({ n }) => n === checkpoint)
  if (found !== undefined && found.times < MOST_TIMES) return {}
  if (found !== undefined) return { problem: inCircles(found) }
  const numbers = possible.map(({ n }) => n)
  const names = numbers.length === 0 ? "There is none to go back to." : `Possible: ${ranges(numbers)}.`
  return { problem: `There is no checkpoint ${checkpoint} to go back to. ${names}` }
}

function inCircles({ n, times }: NamedCheckpoint): string {
  return `Refused: you went back to checkpoint ${n}, or to where it stands, ${times} times since the user's last message, and came here again. Continue with what you have now, or tell the user what you are missing.`
}

/** 0, 1, 2, 5 → "0–2, 5" */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = []
  for (const n of numbers) {
    const last = found.at(-1)
    if (last !== undefined && n === last[1] + 1) last[1] = n
    else found.push([n, n])
  }
  return found.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ")
}
