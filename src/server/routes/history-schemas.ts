// What the operations about the history of all agents accept and return, and the shape of such a description.
import { isAbsolute } from "node:path"
import { z } from "zod"
import { USAGE_BY } from "../../protocol/library.ts"
import type { Described } from "../api/route.ts"
import { limit, open, SESSION_ID } from "../api/schemas.ts"

export interface OperationSchema {
  /** Of the body, or of the query if it reads. */
  input?: z.ZodType
  answer?: Described
  /** Further description, in Markdown. */
  about?: string
  /** Codes of the problems specific to it. */
  problems?: readonly string[]
}

export function answers(about: string, schema: z.ZodType): { answer: Described } {
  return { answer: { about, schema } }
}

const SPENDING = {
  requests: z.int(),
  input: z.int(),
  output: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
  cost: z.number().nullable().describe("In dollars; null: no price is known."),
}

export const ABSOLUTE = z.string().refine(isAbsolute, "this is not an absolute path")

export const HISTORY_SCHEMAS = {
  usage: {
    input: z.strictObject({
      by: z
        .string()
        .transform((text) => text.split(","))
        .pipe(z.array(z.enum(USAGE_BY)))
        .exactOptional()
        .describe("What the rows are for, separated by commas: `day`, `day,agent`, … Without: only the sum."),
      since: z.iso.datetime({ offset: true }).exactOptional().describe("To a quarter of an hour, as is `until`."),
      until: z.iso.datetime({ offset: true }).exactOptional(),
      agent: z.string().exactOptional().describe("Only sessions of this agent: `retcon`, `claude-code`, …"),
      project: z.string().min(1).exactOptional().describe("Only folders whose path contains this."),
      utc: z.stringbool().exactOptional().describe("Days begin at midnight UTC, not where the server is."),
    }),
    about: "A request that several files tell of, such as a fork's, counts once. Money is at API prices.",
    ...answers(
      "The sum, and a row for each day, model, …",
      open({
        ...SPENDING,
        unpriced: z.array(z.string()).describe("The models that `cost` leaves out."),
        sessions: z.int(),
        rows: z.array(open({ ...SPENDING, sessions: z.int() })),
        prices: z.object({ dated: z.string(), file: z.string().nullable() }),
        leftOut: z.array(open({ session: z.string(), agent: z.string(), problem: z.string() })),
      }),
    ),
    problems: ["invalid"],
  },
  cost: {
    input: z.strictObject({ session: SESSION_ID }),
    ...answers(
      "Tokens and money.",
      open({
        session: z.string(),
        tasks: z.int().describe("How many sub-agents are included."),
        ...SPENDING,
        models: z.array(open({ model: z.string(), ...SPENDING })),
        directory: open({
          cwd: z.string(),
          sessions: z.int(),
          ...SPENDING,
          leftOut: z.array(z.object({ agent: z.string(), sessions: z.int(), because: z.string() })),
        }),
      }),
    ),
    problems: ["not-found"],
  },
  edits: {
    input: z.strictObject({
      since: z.iso.datetime({ offset: true }).exactOptional(),
      until: z.iso.datetime({ offset: true }).exactOptional(),
      path: ABSOLUTE.exactOptional().describe("The absolute path of a file, or of a folder."),
      agent: z.string().exactOptional().describe("Only sessions of this agent: `retcon`, `claude-code`, …"),
      project: z.string().min(1).exactOptional().describe("Only sessions whose folder contains this."),
      session: SESSION_ID.exactOptional(),
      diff: z.stringbool().exactOptional().describe("With what changed, if that is known."),
      limit: limit(100, 1000),
      after: z.string().exactOptional().describe("`next` of the answer before."),
    }),
    ...answers(
      "One row for each file that a call changed. `added` and `removed` are lines; both 0 if only the name is known.",
      z.object({
        edits: z.array(
          open({
            at: z.string(),
            session: z.string(),
            agent: z.string(),
            path: z.string(),
            entry: z.string(),
            prompt: z.string().nullable(),
            asked: z.string(),
            added: z.int(),
            removed: z.int(),
            diff: z.string().exactOptional(),
          }),
        ),
        total: z.int(),
        next: z.string().nullable(),
        leftOut: z.array(open({ session: z.string(), agent: z.string(), problem: z.string() })),
      }),
    ),
    problems: ["invalid"],
  },
  why: {
    input: z.strictObject({
      file: ABSOLUTE.exactOptional().describe("The absolute path of a file; with `line`."),
      line: z.coerce.number().int().min(1).exactOptional(),
      commit: z
        .string()
        .min(1)
        .max(200)
        .exactOptional()
        .describe("Its id, the beginning of it, `HEAD` or a branch; with `cwd`."),
      cwd: ABSOLUTE.exactOptional().describe("A folder in the repository."),
    }),
    about:
      "`recorded`: snapshots or an agent's own notes show it. `said`: a call that names the file has the line, or git answered with the commit. `likely`: lines of its edits are in the commit.",
    ...answers(
      "Those with the best grade; empty: nothing on this machine says it.",
      z.object({
        line: open({ file: z.string(), line: z.int(), text: z.string() }).nullable(),
        commit: open({ commit: z.string(), subject: z.string(), at: z.string() }).nullable(),
        writers: z.array(
          open({
            grade: z.enum(["recorded", "said", "likely"]),
            because: z.string(),
            session: z.string(),
            agent: z.string(),
            prompt: z.string().nullable(),
            entry: z.string(),
            asked: z.string(),
          }),
        ),
      }),
    ),
    problems: ["not-found", "invalid"],
  },
} satisfies Record<string, OperationSchema>
