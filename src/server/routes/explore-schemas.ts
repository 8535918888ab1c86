// What the endpoints for attempts accept and return.
import { z } from "zod"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { open } from "../api/schemas.ts"

const ATTEMPT = open({
  label: z.string(),
  session: z.string(),
  state: z.enum(["waiting", "preparing", "running", "checking", "ended"]),
  ended: z.enum(["done", "stopped", "budget", "time", "failed", "interrupted"]).exactOptional(),
  tip: z.string().nullable().describe("The last entry of its branch."),
})

function described(about: string, schema: z.ZodType) {
  return { about, schema }
}

export const EXPLORE_SCHEMAS = {
  explore: {
    input: z.strictObject({
      prompt: z.string().min(1).describe("What each attempt is asked."),
      attempts: z.int().min(1).max(20).exactOptional().describe("How many (default: one for each model, or 3)."),
      models: z.array(z.string().min(1).max(300)).min(1).exactOptional().describe("Used in turn."),
      checks: z.array(z.string().min(1)).exactOptional().describe("Commands to run in each copy at the end."),
      setup: z.string().min(1).exactOptional().describe("A command to run in each copy first."),
      jobs: z.int().min(1).exactOptional().describe("How many run at the same time (default: all)."),
      budget: z.number().positive().exactOptional().describe("Dollars, of all together."),
      time: z.number().positive().exactOptional().describe("Minutes, of each."),
      mode: z.enum(PERMISSION_MODES).exactOptional(),
    }),
    about:
      "The answer comes when all have ended and are branches of the tree, named by their labels. Meanwhile events of the type `attempt` say what each does, and its questions name it. `stop` ends them. `changed` lists files of the folder itself that differ from the beginning; `held` is false where no sandbox keeps commands out of it.",
    answer: described(
      "How each ended. None is picked: go to its label with files.",
      open({
        outcome: z.literal("explored"),
        attempts: z.array(ATTEMPT),
        changed: z.array(z.string()),
        held: z.boolean(),
      }),
    ),
    problems: ["no-workspace"],
  },
  attempts: { answer: described("Oldest first.", z.object({ attempts: z.array(ATTEMPT) })) },
  finishAttempts: { answer: described("Those that were interrupted.", z.object({ attempts: z.array(ATTEMPT) })) },
  cleanAttempts: {
    input: z.strictObject({
      label: z.string().min(1).exactOptional().describe("Only this one."),
      force: z.boolean().exactOptional().describe("Also with commits that exist nowhere else."),
    }),
    answer: described(
      "The labels of those that are gone, and why others stay.",
      z.object({ cleaned: z.array(z.string()), kept: z.array(z.object({ label: z.string(), because: z.string() })) }),
    ),
  },
} as const
