// The endpoints of the operations: what each accepts and returns. The rest is in the table (protocol/operations.ts).
import { z } from "zod"
import { NONE } from "../../history/tree/tree.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { CHOICES } from "../../model/offers.ts"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { THINKING_LEVELS } from "../../model/thinking.ts"
import type { CompactAnswer, CompareAnswer, SessionContents } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import {
  carryOut,
  isWork,
  LIBRARY,
  LIBRARY_NAMES,
  type LibraryName,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
  type OperationRow,
} from "../../protocol/operations.ts"
import { SAY_SOMETHING } from "../answer/api-advice.ts"
import { json, refused } from "../answer/problem.ts"
import { type ApiRoute, type Described, route, sessionRoute } from "../api/route.ts"
import { ENTRY, limit, MEDIA, MOVE, MOVED, open, SESSION_ID } from "../api/schemas.ts"
import { EXPLORE_SCHEMAS } from "./explore-schemas.ts"
import { ABSOLUTE, answers, HISTORY_SCHEMAS, type OperationSchema } from "./history-schemas.ts"

const STOPS =
  "A running turn is stopped first. If the move is refused, or with `dryRun`, nothing changes and the turn continues."
const RULE = z.strictObject({ rule: z.string().min(1).max(1000).describe("Such as `Write`, or `Bash(npm test)`.") })

function move(problems: readonly string[], more: z.ZodRawShape = {}): OperationSchema {
  const answer = { about: "What happened, or would happen.", schema: MOVED }
  return { input: MOVE.extend(more), answer, about: STOPS, problems }
}

const COUNTED = z.object({ path: z.int(), all: z.int() })
const FOUND = open({ severity: z.enum(["problem", "note"]), kind: z.string(), what: z.string(), advice: z.string() })
const COMPARED = z
  .string()
  .min(1)
  .max(300)
  .describe(
    "An entry, another session that has entries in common with this one, or `SESSION:ENTRY`. `b`: by default the head.",
  )
const ROUNDS = z.array(ENTRY).min(1).describe("One entry of each round, such as its prompt.")

const SCHEMAS: Readonly<Record<OperationName, OperationSchema>> = {
  back: move(["at-start", "too-few-rounds"], {
    rounds: z.int().min(1).exactOptional().describe("How many rounds (default 1)."),
  }),
  goto: move(["not-found", "ambiguous"], {
    entry: ENTRY.nullable().describe("An entry. Null: the empty conversation."),
    summarise: z.boolean().exactOptional().describe("Add a summary of what is left behind."),
  }),
  undo: move(["nothing-to-undo"]),
  redo: move(["nothing-to-redo"]),
  restore: move(["not-found", "no-workspace", "conflicts"], {
    entry: ENTRY,
    paths: z.array(z.string()).exactOptional().describe("Only these files and folders."),
  }),
  revert: move(["not-found", "no-workspace", "conflicts"], { rounds: ROUNDS }),
  bring: move(["not-found", "no-workspace", "conflicts"], {
    what: z.array(ENTRY).min(1).describe("One entry on another branch, or one entry of each round."),
    onlyRound: z.boolean().exactOptional().describe("Of an entry on another branch: only its round's file changes."),
    note: z
      .union([z.string().max(100_000), z.literal(false)])
      .exactOptional()
      .describe("The findings, in place of the branch's last answer. False: only the files."),
    summarise: z.boolean().exactOptional().describe("The model sums up the findings. With `dryRun`, to be edited."),
  }),
  pick: move(["not-found", "ambiguous", "no-workspace", "conflicts"], { branch: ENTRY }),
  split: {
    input: z.strictObject({
      entry: ENTRY.exactOptional().describe("Up to this entry. Default: the head."),
      cwd: z.string().exactOptional().describe("The folder for the copy, if that of this session is unknown."),
    }),
    ...answers(
      "The copy, a session of retcon's own.",
      open({ session: z.string(), prompt: z.object({ id: z.string(), text: z.string() }).nullable() }),
    ),
    problems: ["not-found"],
  },
  compact: {
    input: z.strictObject({ focus: z.string().exactOptional().describe("What the summary must not lose.") }),
    ...answers("The compaction. It is in the tree and can be undone.", open({ entry: z.string(), messages: z.int() })),
    problems: ["nothing-to-compact"],
  },
  omit: {
    input: z.strictObject({ entry: ENTRY }),
    ...answers("What is left out.", z.object({ entry: z.string(), parts: z.enum(["media", "all"]) })),
  },
  label: {
    input: z.strictObject({ entry: ENTRY, name: z.string().max(200).describe("Empty removes the name.") }),
    ...answers("The entry.", z.object({ entry: z.string() })),
    problems: ["not-found"],
  },
  title: { input: z.strictObject({ title: z.string().max(1000) }) },
  archive: { input: z.strictObject({ archived: z.boolean() }) },
  setModel: {
    input: z.strictObject({ model: z.string().min(1).max(300).describe("`provider/name`, or `practice`.") }),
  },
  setThinking: {
    input: z.strictObject({ level: z.enum(THINKING_LEVELS).nullable().describe("Null: the model's default.") }),
  },
  ...EXPLORE_SCHEMAS,
  setMode: { input: z.strictObject({ mode: z.enum(PERMISSION_MODES) }) },
  offers: {
    about: "Its program is started for that. Slash commands are sent as messages, with a slash.",
    ...answers(
      "What it offers, in its own words; null: no such program works in this session.",
      z.object({
        offers: open({
          images: z.boolean().describe("Whether a message may have images."),
          ...Object.fromEntries(CHOICES.map((each) => [each, z.string().exactOptional().describe("What is set.")])),
          ...Object.fromEntries(
            CHOICES.map((each) => [`${each}s`, z.array(open({ id: z.string(), name: z.string() }))]),
          ),
          commands: z.array(open({ name: z.string(), about: z.string() })),
        }).nullable(),
      }),
    ),
  },
  choose: {
    input: z.strictObject({ what: z.enum(CHOICES), value: z.string().min(1).max(300).describe("Its id or name.") }),
    about: "Until the session is closed.",
  },
  permissions: answers(
    "The rules.",
    open({ mode: z.enum(PERMISSION_MODES), allow: z.array(open({ rule: z.string() })) }),
  ),
  allow: { input: RULE },
  revoke: { input: RULE, ...answers("False: the session has no such rule.", z.object({ revoked: z.boolean() })) },
  unsend: answers("The message, or null if there was none.", z.object({ input: open({}).nullable() })),
  draft: answers("It stays kept. Null: there is none.", z.object({ draft: open({ text: z.string() }).nullable() })),
  keepDraft: {
    input: z.strictObject({
      text: z.string().describe("Empty, with `media: []`: nothing is typed any more."),
      media: MEDIA.exactOptional().describe("Without it, the images and files that were kept stay."),
    }),
  },
  rounds: {
    input: z.strictObject({ limit: limit(200, 20_000) }),
    about: "Prompts that the agent's Backtrack left behind are included, with `passed`: they are not on the path.",
    ...answers(
      "Only the last ones.",
      z.object({
        prompts: z.array(
          open({
            prompt: z.string(),
            row: z.int(),
            text: z.string(),
            at: z.string(),
            round: z.int(),
            passed: z.boolean().exactOptional().describe("The agent's Backtrack left it behind."),
          }),
        ),
      }),
    ),
  },
  search: {
    input: z.strictObject({ text: z.string().min(1).max(1000), limit: limit(50, 1000) }),
    ...answers(
      "The entries found, with the text around each match.",
      z.object({
        hits: z.array(
          open({
            row: z.int(),
            entry: z.string(),
            where: z.string(),
            before: z.string(),
            match: z.string(),
            after: z.string(),
          }),
        ),
      }),
    ),
  },
  reading: answers(
    "Instructions, skills, commands and rules.",
    z.object({
      files: z.array(
        open({
          kind: z.string(),
          path: z.string(),
          name: z.string().exactOptional().describe("Of a skill or a command: sent as `/NAME`, it is its text."),
          used: z.boolean(),
          because: z.string().describe("Whose it is, or why it is not used."),
        }),
      ),
    }),
  ),
  compare: {
    input: z.strictObject({
      a: COMPARED,
      b: COMPARED.exactOptional(),
      patch: z.stringbool().exactOptional().describe("Also the difference of the files at the two ends."),
    }),
    about: "What sub-agents cost is not included.",
    ...answers(
      "The last entry that both have, and each side since then.",
      open({
        common: z.string().nullable(),
        round: z.int(),
        sides: z.array(
          open({ name: z.string(), session: z.string(), tip: z.string().nullable(), isHead: z.boolean() }),
        ),
        files: z.array(open({ path: z.string(), group: z.enum(["only-a", "only-b", "same", "different", "unknown"]) })),
        patch: z.string().exactOptional().describe("A unified diff, from the first end to the second."),
      }),
    ),
    problems: ["not-found", "ambiguous", "unrelated"],
  },
  doctor: {
    about: "`prompts` counts messages that a person typed; `userMessages` counts all messages with the user role.",
    ...answers(
      "Counts, and findings.",
      open({
        kinds: z.record(z.string(), z.int()).describe("Lines by type."),
        origins: z.record(z.string(), z.int()).describe("Messages by origin."),
        prompts: COUNTED,
        userMessages: COUNTED,
        findings: z.array(FOUND),
        lines: z.array(open({ line: z.int(), origin: z.string(), why: z.string() })).exactOptional(),
      }),
    ),
  },
  context: answers("The messages.", z.object({ messages: z.array(open({ role: z.string() })) })),
}

const DRY_RUN = z.boolean().exactOptional().describe("Only report what would happen.")
const OF_SESSIONS = z.strictObject({
  session: SESSION_ID.exactOptional().describe("Only this session."),
  cwd: ABSOLUTE.exactOptional().describe("Only sessions of this directory."),
})
const FREED = z.object({ files: z.int(), bytes: z.int() })

const LIBRARY_SCHEMAS: Readonly<Record<LibraryName, OperationSchema>> = {
  ...HISTORY_SCHEMAS,
  agents: {
    input: z.strictObject({ cwd: ABSOLUTE.describe("The folder.") }),
    ...answers(
      "Those that are installed first.",
      z.object({
        agents: z.array(
          z.object({
            agent: z.string(),
            title: z.string(),
            missing: z.string().exactOptional().describe("Why its program cannot be started, and what to do."),
          }),
        ),
      }),
    ),
  },
  find: {
    input: z.strictObject({
      text: z
        .string()
        .min(1)
        .max(1000)
        .describe(
          'Words that must all occur, `"phrases"`, `-not`, `a OR b`, `begin*`, `you:` `agent:` `tool:` `thinking:`, and the filters `from:` `project:` `since:` `before:` `session:` `file:` `read:` `branch:left`. Case matters only in words with capitals.',
        ),
      cwd: z.string().exactOptional().describe("Only sessions of this directory."),
      agent: z.string().exactOptional().describe("Only sessions of this agent: `retcon`, `claude-code`, …"),
      since: z.iso.datetime({ offset: true }).exactOptional().describe("Only sessions used since this time."),
      path: z.string().min(1).exactOptional().describe("Only sessions that mention this file."),
      limit: limit(10, 1000).describe("At most this many sessions."),
      ofOne: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .exactOptional()
        .describe("At most this many entries of one session (3)."),
      after: z.string().regex(/^\d+$/).exactOptional().describe("`next` of the answer before."),
      within: z.coerce
        .number()
        .int()
        .min(1)
        .exactOptional()
        .describe("Milliseconds, after which it answers with what it has."),
    }),
    ...answers(
      "The sessions that have the words, best first, each with the parts of the entries that have most of them.",
      z.object({
        sessions: z.array(
          open({
            session: z.string(),
            agent: z.string(),
            title: z.string(),
            score: z.number(),
            words: z.record(z.string(), z.int()).describe("In how many messages each word is."),
            hits: z.array(
              open({
                entry: z.string().nullable(),
                where: z.string(),
                onPath: z.boolean(),
                text: z.string(),
                marks: z.array(z.array(z.int())).describe("Where the words are in the text."),
              }),
            ),
            copies: z.array(z.string()),
          }),
        ),
        total: z.int(),
        how: z
          .enum(["words", "inside", "closest"])
          .describe("`inside`: inside longer words; `closest`: none has all words."),
        missing: z.array(z.string()),
        next: z.string().nullable(),
        complete: z.boolean(),
        skipped: z.array(z.object({ file: z.string(), problem: z.string() })),
        unreadable: z.array(z.object({ agent: z.string(), path: z.string() })),
      }),
    ),
    problems: ["invalid"],
  },
  blame: {
    input: z.strictObject({
      file: ABSOLUTE.describe("The absolute path of a file."),
      session: SESSION_ID.exactOptional().describe("Only by this session."),
    }),
    ...answers(
      "The lines of the file. Without a prompt: you wrote it, or it was there before.",
      z.object({
        lines: z.array(
          open({ line: z.int(), text: z.string(), session: z.string().nullable(), prompt: z.string().nullable() }),
        ),
        sessions: z.array(open({ session: z.string(), agent: z.string(), title: z.string() })),
        unwatched: z.array(open({ session: z.string(), agent: z.string(), partly: z.boolean() })),
      }),
    ),
    problems: ["not-found", "no-session"],
  },
  examine: {
    input: OF_SESSIONS,
    ...answers(
      "By file or folder.",
      z.object({
        examined: z.array(
          open({ file: z.string(), session: z.string().nullable(), lines: z.int(), findings: z.array(FOUND) }),
        ),
      }),
    ),
  },
  secrets: {
    input: OF_SESSIONS,
    ...answers(
      "By session, and how many different ones there are in all.",
      z.object({
        sessions: z.array(open({ file: z.string(), secrets: z.array(z.object({ kind: z.string(), count: z.int() })) })),
        secrets: z.int(),
      }),
    ),
  },
  gc: {
    input: z.strictObject({
      cwd: ABSOLUTE.describe("The absolute path of the folder whose snapshots are swept."),
      dryRun: DRY_RUN,
      dropOldest: z
        .boolean()
        .exactOptional()
        .describe("Also drop the oldest snapshots that are in use, until the budget is met."),
    }),
    ...answers(
      "What was freed, or would be.",
      open({ dryRun: z.boolean(), trash: FREED, blobs: FREED, indexes: FREED, local: FREED, temporary: FREED }),
    ),
  },
  keep: {
    input: z.strictObject({ dryRun: DRY_RUN }),
    ...answers(
      "What was copied, or would be.",
      open({ dryRun: z.boolean(), sessions: z.int(), files: z.array(open({ file: z.string() })), bytes: z.int() }),
    ),
  },
  restoreKept: {
    input: z.strictObject({ session: SESSION_ID }),
    ...answers(
      "The files written, and the command that resumes the session. `import`: the command that loads it, if it was in a database.",
      open({ session: z.string(), files: z.array(z.string()), resume: z.array(z.string()) }),
    ),
    problems: ["not-found"],
  },
  moved: {
    input: z.strictObject({
      from: ABSOLUTE.describe("Where the folder was."),
      to: ABSOLUTE.describe("Where it is."),
      dryRun: DRY_RUN,
      force: z.boolean().exactOptional().describe("Even if the old folder still exists."),
      back: z.boolean().exactOptional().describe("Only the sessions that came from `to` before."),
    }),
    ...answers(
      "The sessions, by folder.",
      open({
        dryRun: z.boolean(),
        folders: z.array(z.object({ from: z.string(), to: z.string(), sessions: z.array(z.string()) })),
        untold: z.array(z.string()).describe("Sessions whose logs retcon cannot write: they come without their files."),
      }),
    ),
    problems: ["not-found"],
  },
}

const DONE: Described = { about: "Done.", schema: z.object({}) }

function specOf(name: string, { kind, path = name, about: summary }: OperationRow, schema: OperationSchema) {
  const { input, answer = DONE, ...described } = schema
  const method = kind === "read" ? "get" : "post"
  return {
    method,
    path: `/${path}`,
    name,
    summary,
    ...described,
    ...(input !== undefined && { [kind === "read" ? "query" : "body"]: input as z.ZodType<object> }),
    answers: { 200: answer },
  } as const
}

export const OPERATION_ROUTES: readonly ApiRoute[] = OPERATION_NAMES.map((name) =>
  sessionRoute<object | undefined, object | undefined>(
    specOf(name, OPERATIONS[name], SCHEMAS[name]),
    async ({ request: { signal }, query, body }, { session }) => {
      const fields = { ...query, ...body, signal }
      const asked = isWork(name)
        ? carryOut(workIn(session), name, OPERATIONS[name], fields)
        : carryOut(session, name, OPERATIONS[name], fields)
      return answered(await asked, session)
    },
  ),
)

export const LIBRARY_ROUTES: readonly ApiRoute[] = LIBRARY_NAMES.map((name) =>
  route<object | undefined, object | undefined>(
    specOf(name, LIBRARY[name], LIBRARY_SCHEMAS[name]),
    async ({ request, query, body, at }) => {
      const signal = AbortSignal.any([request.signal, at.stopping])
      return json(await carryOut(at.library, name, LIBRARY[name], { ...query, ...body, signal }))
    },
  ),
)

function answered(answer: object, session: SessionContents): Response {
  return isRefusal(answer) ? refusal(answer, session) : json(answer)
}

type Refusal = Extract<MoveResult | CompactAnswer | CompareAnswer, { outcome: "refused" }>

function isRefusal(answer: object): answer is Refusal {
  return "outcome" in answer && answer.outcome === "refused"
}

export function refusal(result: Refusal, { history }: Pick<SessionContents, "history">): Response {
  const { failure, ...more } = result
  const isNew = failure.code === "at-start" && failure.rounds === 0 && history.undo(history.size - 1) === NONE
  const { outcome: _, ...others } = more
  // Elsewhere the advice is to undo the last move, but in a new session there is none.
  return refused(failure, { ...(isNew && { advice: SAY_SOMETHING }), more: others })
}
