// Endpoints for the list of sessions, a new one, and the state of one.
import { z } from "zod"
import { parseSessionId } from "../../model/id.ts"
import { invalid, json } from "../answer/problem.ts"
import { type ApiRoute, route, sessionRoute } from "../api/route.ts"
import { LISTING, limit, open, STATE } from "../api/schemas.ts"
import type { Hub } from "../live/hub.ts"
import { FIELDS } from "./converse.ts"
import { sendMessage } from "./sent-message.ts"

const SESSION = open({
  id: z.string(),
  agent: z.string(),
  cwd: z.string(),
  file: z.string().nullable(),
  resume: z.array(z.string()).nullable().describe("The command that resumes it in its own agent."),
  labels: z.record(z.string(), z.string()).describe("Labels by entry id."),
  config: z.record(z.string(), z.unknown()),
  ...STATE,
})

const FOLDER = "Give the absolute path of a folder that exists."

/** A place in the list is the time and the id of a session, which need not exist any more. */
function isPlace(after: string): boolean {
  const space = after.lastIndexOf(" ")
  return space >= 0 && parseSessionId(after.slice(space + 1)) !== undefined
}

const listSessions = route(
  {
    method: "get",
    path: "/sessions",
    name: "listSessions",
    summary: "All sessions on this machine, newest first",
    query: z.strictObject({
      cwd: z.string().exactOptional().describe("Only sessions of this directory."),
      agent: z.string().exactOptional().describe("Only sessions of this agent: `retcon`, `claude-code`, …"),
      text: z.string().exactOptional().describe("Only sessions whose title, folder or name contains this text."),
      after: z
        .string()
        .refine(isPlace, "pass the `next` of the previous page as it is, or leave it out for the first page")
        .exactOptional()
        .describe("The `next` of the previous page. It stays valid if sessions are deleted or change meanwhile."),
      limit: limit(100, 1000),
    }),
    answers: {
      200: {
        about: "One page.",
        schema: z.object({
          sessions: z.array(LISTING),
          next: z.string().nullable(),
          unreadable: z
            .array(z.object({ agent: z.string(), path: z.string() }))
            .exactOptional()
            .describe("Other agents' files and folders that may not be read: sessions may be missing."),
        }),
      },
    },
  },
  async ({ query, at }) => json(await at.host.list({ agents: "all", ...query })),
)

const createSession = route(
  {
    method: "post",
    path: "/sessions",
    name: "createSession",
    summary: "Create a session",
    about: "Of retcon's own agent, or with `agent` and `prompt` one of that agent, which its own program begins.",
    body: z
      .strictObject({
        cwd: z.string().min(1).describe("The absolute path of the folder it works in."),
        agent: z.string().exactOptional().describe("Whose: see `GET /agents`. Default: `retcon`."),
        prompt: FIELDS.pick({ text: true, display: true, media: true })
          .exactOptional()
          .describe("The first message. Another agent's session begins with it."),
        follow: z
          .boolean()
          .exactOptional()
          .describe("You send the same `prompt` to `converse` at once, to follow its turn from the beginning."),
      })
      .refine(({ agent = "retcon", prompt }) => (agent === "retcon") === (prompt === undefined), {
        message: "Another agent's session needs a prompt, and one of retcon's own has none.",
        path: ["prompt"],
      }),
    answers: { 201: { about: "The session is open.", schema: SESSION } },
    problems: ["invalid"],
  },
  async ({ body: { follow, ...request }, at }) => {
    if (!(await at.options.isFolder(request.cwd))) return invalid(`There is no folder ${request.cwd}`, FOLDER)
    const hub = await at.hubs.create(request)
    if (request.prompt !== undefined && follow !== true) sendMessage(hub, request.prompt, {}, () => undefined)
    return json(sessionAnswer(hub), 201)
  },
)

const getSession = sessionRoute(
  {
    method: "get",
    path: "",
    name: "getSession",
    summary: "The current state of a session",
    about: "An event stream that starts with the `Last-Event-ID: <generation>.<seq>` of this answer misses nothing.",
    answers: { 200: { about: "The session.", schema: SESSION } },
  },
  async (_, hub) => json(sessionAnswer(hub)),
)

function sessionAnswer(hub: Hub): object {
  const { session } = hub
  return {
    id: session.id,
    agent: session.agent ?? "retcon",
    cwd: session.cwd,
    file: session.file ?? null,
    resume: session.resume === undefined ? null : [...session.resume],
    labels: Object.fromEntries(session.labels()),
    config: Object.fromEntries(session.config()),
    ...hub.state(),
  }
}

export const SESSION_ROUTES: readonly ApiRoute[] = [listSessions, createSession, getSession]
