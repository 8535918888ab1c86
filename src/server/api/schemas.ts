// The schemas that requests are checked against, and that the OpenAPI document contains.
import { z } from "zod"
import { type EntryId, parseSessionId } from "../../model/id.ts"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"

const text = (about: string) => z.string().describe(about)
/** For shapes that the port's own types define, as in `retcon run --json`: fields may be added. */
export const open = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape)

export const ENTRY = z
  .string()
  .min(1)
  .max(200)
  .describe("An entry: an id, the end of one, a label, `@N` (the N-th prompt), `head` or `head~N`.")

/** Base64, as in a message. */
const DATA = {
  mediaType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[^\r\n]{0,200})?$/, "a media type such as image/png is needed"),
  data: z.string().regex(/^[\w+/-]*={0,2}$/, "base64 is needed"),
}

export const MEDIA = z
  .array(
    z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("image"), ...DATA }),
      z.strictObject({ type: z.literal("file"), ...DATA, name: z.string().max(1000).exactOptional() }),
    ]),
  )
  .describe("Images and files, as parts of a message: `data` is base64.")

export const SESSION_ID = z
  .string()
  .refine((id) => parseSessionId(id) !== undefined, "this is not the id of a session")
  .describe("The id of a session.")

export const EXPECTS = z
  .string()
  .max(200)
  .nullable()
  .exactOptional()
  .describe(
    "The id of the head that you show; null: the start. If the session has been moved since, the answer is 409 `moved-elsewhere` " +
      "with the head as it is now, and nothing is done.",
  ) as unknown as z.ZodExactOptional<z.ZodNullable<z.ZodType<EntryId>>>

export const limit = (usual: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(usual)
    .describe(`At most this many (default ${usual}, maximum ${most}).`)

export const PROBLEM = open({
  status: z.int(),
  code: text("The kind of problem. Stable: scripts may rely on it."),
  detail: text("What happened, and why."),
  hint: text("What to do next."),
  advice: z.array(z.unknown()).describe("The same as data: text and steps."),
})

export const MOVE = z.strictObject({
  files: z.enum(["keep", "restore"]).exactOptional().describe("What to do with the files of the workspace."),
  dryRun: z.boolean().exactOptional().describe("Only report what would happen."),
  onConflict: z.enum(["theirs", "ours", "write-conflicts"]).exactOptional(),
  keep: z.array(z.string()).exactOptional().describe("Files and folders to leave as they are."),
  onlyCertain: z
    .boolean()
    .exactOptional()
    .describe("Leave files that changed while a command ran: somebody else may have changed them."),
  evenIfRunning: z
    .boolean()
    .exactOptional()
    .describe("In another agent's session: move even if that agent may have it open."),
  expects: EXPECTS,
  via: z.enum(["page", "voice", "api"]).exactOptional().describe("What other front ends say moved the session."),
})

const ROUND_GAP = open({
  prompt: z.string().nullable().describe("The prompt of the round. Null: before the first one."),
  named: z.array(z.string()).describe("Files that the session names, without what they contained before."),
  commands: z.int(),
  agents: z.int(),
  others: z.int().describe("Calls of other tools that may change files."),
  partly: z.literal(true).exactOptional().describe("Other calls of the round have snapshots."),
})

export const MOVED = open({
  outcome: z.enum(["moved", "planned", "unchanged"]),
  kind: z.string(),
  operation: z.string().nullable(),
  from: z.string().nullable(),
  head: z.string().nullable(),
  left: z.int(),
  regained: z.int(),
  messages: z.int().describe("How many of the entries left behind are messages."),
  prompt: z
    .object({ id: z.string(), text: z.string() })
    .nullable()
    .describe("The prompt that goes back into the editor."),
  gaps: open({
    agent: z.string().exactOptional(),
    rounds: z.array(ROUND_GAP),
    next: z.array(z.unknown()).exactOptional().describe("What covers the rounds to come: text and steps."),
  })
    .exactOptional()
    .describe("With files: what stays because too little is recorded of it, round by round."),
  copied: open({ agent: z.string(), paths: z.array(z.string()) })
    .exactOptional()
    .describe("With files: those that come from the agent's own copies."),
})

export const STATE = {
  generation: text("The generation of rows and events. Discard those of another generation."),
  seq: z.int().describe("The number of the last event: `Last-Event-ID: <generation>.<seq>` continues after it."),
  turn: z.int(),
  size: z.int().describe("The number of rows."),
  head: z.int().nullable().describe("A row; null: the empty conversation."),
  status: open({ model: z.string(), mode: z.enum(PERMISSION_MODES), running: z.boolean(), waiting: z.boolean() }),
  access: open({ can: z.enum(["all", "move", "look"]) }).describe(
    "What this session allows; `because` gives the reason for a restriction.",
  ),
  live: open({ turn: z.int(), text: z.string() })
    .nullable()
    .describe("Output of the running turn that is not in the tree yet."),
}

export const LISTING = open({
  id: z.string(),
  agent: text("`retcon`, `claude-code`, …"),
  title: z.string(),
  cwd: z.string(),
  prompts: z.int().nullable(),
  branches: z.int().nullable(),
  updated: text("ISO time."),
  turn: z
    .enum(["running", "waiting"])
    .exactOptional()
    .describe("A turn runs in it on this server; `waiting`: for an answer to a question."),
})

export const MESSAGE = open({
  id: z.string(),
  row: z.int(),
  type: z
    .enum(["message", "note", "compaction", "damaged"])
    .describe("`damaged`: it cannot be read, and has no more fields."),
  parent: z.string().nullable().exactOptional(),
  at: text("ISO time.").exactOptional(),
})
