// One endpoint: what it accepts, what it returns, and what it does. The OpenAPI document is made from the same schemas.
import type { z } from "zod"
import { parseSessionId, type SessionId } from "../../model/id.ts"
import { refused } from "../answer/problem.ts"
import type { Hub } from "../live/hub.ts"
import type { ServerDeps } from "./server-deps.ts"

/** An answer: JSON with a schema, or content of another type. */
export type Described =
  /** `streams`: also sent as server-sent events to clients that accept them. */
  { about: string; schema: z.ZodType; streams?: true } | { about: string; type: string }

interface Spec<Query, Body> {
  method: "get" | "post"
  /** Below /api, with parameters in braces. */
  path: string
  /** A unique name. */
  name: string
  summary: string
  /** Further description, in Markdown. */
  about?: string
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** By status. Problems need not be listed. */
  answers: Readonly<Record<number, Described>>
  /** Codes of the problems specific to this endpoint. */
  problems?: readonly string[]
}

export interface ApiCall<Query, Body> {
  request: Request
  params: Readonly<Record<string, string>>
  query: Query
  body: Body
  at: ServerDeps
}

export interface ApiRoute extends Spec<unknown, unknown> {
  run(call: ApiCall<unknown, unknown>): Promise<Response>
}

export function route<Query = undefined, Body = undefined>(
  spec: Spec<Query, Body>,
  run: (call: ApiCall<Query, Body>) => Promise<Response>,
): ApiRoute {
  return { ...spec, run: (call) => run(call as ApiCall<Query, Body>) }
}

/**
 * An endpoint of a session: the path begins with its id. The session stays open while it runs, and contains what others had
 * appended when the request came.
 */
export function sessionRoute<Query = undefined, Body = undefined>(
  spec: Spec<Query, Body>,
  run: (call: ApiCall<Query, Body>, hub: Hub) => Promise<Response>,
): ApiRoute {
  return route<Query, Body>({ ...spec, path: `/sessions/{id}${spec.path}` }, (call) => {
    const id = sessionIn(call.params)
    return id === undefined ? noSession(call.params.id) : call.at.hubs.use(id, (hub) => told(hub, call))
  })

  /** Sends appended rows to the readers of the stream before the caller gets its answer. */
  async function told(hub: Hub, call: ApiCall<Query, Body>): Promise<Response> {
    hub.session.look()
    const response = await run(call, hub)
    hub.catchUp()
    return response
  }
}

/** Accepts only a valid id, never part of a path. */
function sessionIn({ id }: Readonly<Record<string, string>>): SessionId | undefined {
  return parseSessionId(id)
}

async function noSession(name = ""): Promise<Response> {
  return refused({ code: "not-found", what: "session", name })
}
