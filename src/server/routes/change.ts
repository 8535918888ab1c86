// Endpoints for what a person decides besides moves: answers, names, settings, copies, permissions.
import { z } from "zod"
import { PERMISSION_MODES } from "../../model/permission-mode.ts"
import { THINKING_LEVELS } from "../../model/thinking.ts"
import type { HostSession } from "../../protocol/host.ts"
import { json, problem, refused } from "../answer/problem.ts"
import { type ApiRoute, type Described, sessionRoute } from "../api/route.ts"
import { ENTRY, open } from "../api/schemas.ts"

const DONE: Described = { about: "Done.", schema: z.object({}) }

interface Plain<Body> {
  path: string
  name: string
  summary: string
  body?: z.ZodType<Body>
  answer?: Described
  problems?: readonly string[]
}

/** An endpoint that asks the session for one change and returns the result. */
function change<Body = undefined>(
  { answer = DONE, ...spec }: Plain<Body>,
  make: (session: HostSession, body: Body) => Promise<unknown>,
): ApiRoute {
  return sessionRoute<undefined, Body>({ ...spec, method: "post", answers: { 200: answer } }, async (call, hub) =>
    json((await make(hub.session, call.body)) ?? {}),
  )
}

const answerApproval = sessionRoute(
  {
    method: "post",
    path: "/approvals/{approval}",
    name: "answerApproval",
    summary: "Answer a question of the agent",
    body: z.discriminatedUnion("answer", [
      z.strictObject({ answer: z.literal("once") }),
      z.strictObject({
        answer: z.literal("session").describe("Also allow it from now on, as the grant describes."),
        grant: z.enum(["this", "like", "tool"]).exactOptional().describe("Default: the narrowest grant."),
      }),
      z.strictObject({
        answer: z.literal("no"),
        reason: z.string().exactOptional().describe("A reason for the model."),
      }),
    ]),
    answers: { 200: DONE },
    problems: ["not-asked"],
  },
  async ({ params, body }, { session }) => {
    if (await session.answer(params.approval ?? "", body)) return json({})
    const detail = "This question is no longer open: it was answered elsewhere, or its turn has ended."
    return problem({ status: 409, code: "not-asked", detail, advice: "No action needed." })
  },
)

const compact = sessionRoute(
  {
    method: "post",
    path: "/compact",
    name: "compact",
    summary: "Replace the older part of the conversation with a summary",
    body: z.strictObject({ focus: z.string().exactOptional().describe("What the summary must not lose.") }),
    answers: {
      200: {
        about: "The compaction. It is in the tree and can be undone.",
        schema: open({ entry: z.string(), messages: z.int() }),
      },
    },
    problems: ["nothing-to-compact"],
  },
  async ({ body }, { session }) => {
    const answer = await session.compact(body.focus)
    return answer.outcome === "refused" ? refused(answer.failure) : json(answer)
  },
)

const getPermissions = sessionRoute(
  {
    method: "get",
    path: "/permissions",
    name: "getPermissions",
    summary: "What the agent may do without asking, and what is forbidden",
    answers: {
      200: {
        about: "The rules.",
        schema: open({ mode: z.enum(PERMISSION_MODES), allow: z.array(open({ rule: z.string() })) }),
      },
    },
  },
  async (_, { session }) => json(await session.permissions()),
)

const RULE = z.strictObject({ rule: z.string().min(1).max(1000).describe("Such as `Write`, or `Bash(npm test)`.") })

export const CHANGE_ROUTES: readonly ApiRoute[] = [
  answerApproval,
  change(
    {
      path: "/unsend",
      name: "unsend",
      summary: "Take back a queued message that the model has not received yet",
      answer: { about: "The message, or null if there was none.", schema: z.object({ input: open({}).nullable() }) },
    },
    async (session) => ({ input: (await session.unsend()) ?? null }),
  ),
  change(
    {
      path: "/split",
      name: "split",
      summary: "Create a session from this path",
      body: z.strictObject({
        entry: ENTRY.exactOptional().describe("Up to this entry. Default: the head."),
        cwd: z.string().exactOptional().describe("The folder for the copy, if that of this session is unknown."),
      }),
      answer: {
        about: "The copy, a session of retcon's own.",
        schema: open({ session: z.string(), prompt: z.object({ id: z.string(), text: z.string() }).nullable() }),
      },
      problems: ["not-found"],
    },
    (session, { entry, cwd }) => session.split(entry, cwd),
  ),
  change(
    {
      path: "/labels",
      name: "label",
      summary: "Give an entry a name",
      body: z.strictObject({ entry: ENTRY, name: z.string().max(200).describe("Empty removes the name.") }),
      answer: { about: "The entry.", schema: z.object({ entry: z.string() }) },
      problems: ["not-found"],
    },
    async (session, { entry, name }) => ({ entry: await session.label(entry, name) }),
  ),
  change(
    {
      path: "/title",
      name: "setTitle",
      summary: "Give the session a title",
      body: z.strictObject({ title: z.string().max(1000) }),
    },
    (session, { title }) => session.title(title),
  ),
  compact,
  change(
    {
      path: "/omit",
      name: "omit",
      summary: "Continue without content that a provider refuses",
      body: z.strictObject({ entry: ENTRY }),
      answer: { about: "What is left out.", schema: z.object({ entry: z.string(), parts: z.enum(["media", "all"]) }) },
    },
    (session, { entry }) => session.omit(entry),
  ),
  change(
    {
      path: "/model",
      name: "setModel",
      summary: "Choose the model",
      body: z.strictObject({ model: z.string().min(1).max(300).describe("`provider/name`, or `practice`.") }),
    },
    (session, { model }) => session.setModel(model),
  ),
  change(
    {
      path: "/thinking",
      name: "setThinking",
      summary: "Choose how much the model thinks",
      body: z.strictObject({
        level: z.enum(THINKING_LEVELS).nullable().describe("Null: the model's default."),
      }),
    },
    (session, { level }) => session.setThinking(level ?? undefined),
  ),
  change(
    {
      path: "/mode",
      name: "setMode",
      summary: "Choose what the agent may do without asking",
      body: z.strictObject({ mode: z.enum(PERMISSION_MODES) }),
    },
    (session, { mode }) => session.setMode(mode),
  ),
  getPermissions,
  change(
    { path: "/rules", name: "allow", summary: "Allow one more rule in this session", body: RULE },
    (session, { rule }) => session.allow(rule),
  ),
  change(
    {
      path: "/rules/revoke",
      name: "revoke",
      summary: "Revoke a rule of this session",
      body: RULE,
      answer: { about: "False: the session has no such rule.", schema: z.object({ revoked: z.boolean() }) },
    },
    async (session, { rule }) => ({ revoked: await session.revoke(rule) }),
  ),
]
