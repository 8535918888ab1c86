// The folders of Kimi Code: `sessions/<workspace>/<session>/agents/<agent>/wire.jsonl`, and `state.json` beside `agents`.
import { basename, dirname, join } from "node:path"
import type { SessionId } from "../../model/id.ts"
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { madeSessionId, sessionIdOf } from "../ids.ts"
import type { AgentHomes, SessionPlace } from "../port.ts"
import { linesIn, objectField, textField } from "../shared/json-line.ts"

export const WIRE = "wire.jsonl"
export const MAIN = "main"

/** Where Kimi Code keeps all its files. */
export function homeOf({ home, env }: AgentHomes): string {
  const own = env.KIMI_CODE_HOME
  return own === undefined || own === "" ? join(home, ".kimi-code") : own
}

/** A session, or one of its sub-agents, which is a separate session. */
export interface Agent {
  /** The session's folder, and its name. */
  folder: string
  session: string
  /** `main`, or `agent-0`. */
  agent: string
}

export function agentOf({ main }: SessionPlace): Agent {
  const home = dirname(main)
  const folder = dirname(dirname(home))
  return { folder, session: basename(folder), agent: basename(home) }
}

/** A person refers to a session by its folder, and to a sub-agent by the sub-agent's own folder. */
export function placeOf(folder: string, agent: string): SessionPlace {
  const home = join(folder, "agents", agent)
  return { path: agent === MAIN ? folder : home, main: join(home, WIRE) }
}

export function nameOf({ session, agent }: Pick<Agent, "session" | "agent">): string {
  return agent === MAIN ? session : `${session}/${agent}`
}

/** `session_<uuid>` contains the UUID. */
export function idOf({ session, agent }: Pick<Agent, "session" | "agent">): SessionId {
  if (agent !== MAIN) return madeSessionId("kimi-code", `${session}/${agent}`)
  return sessionIdOf("kimi-code", keyOf(session))
}

/** The name from which a session's id is derived. */
export function keyOf(session: string): string {
  return session.startsWith("session_") && !session.includes("/") ? session.slice("session_".length) : session
}

/** The line that begins a wire log. Kimi CLI has one of the same type in a file with the same name, but without a time. */
export function headerIn(head: Buffer): JsonObject | undefined {
  return linesIn(head).find(
    ({ type, protocol_version, created_at }) =>
      type === "metadata" && typeof protocol_version === "string" && typeof created_at === "number",
  )
}

export function stateFile({ folder }: Agent): string {
  return join(folder, "state.json")
}

export interface SessionState {
  cwd: string | undefined
  title: string | undefined
  lastPrompt: string | undefined
  forkedFrom: string | undefined
  created: JsonObject[string] | undefined
  updated: JsonObject[string] | undefined
  /** The agent that started a sub-agent. */
  parentOf(agent: string): string | undefined
}

/** What the file says about a session, without the fields it lacks. */
export function readState(bytes: Buffer | undefined): SessionState {
  const parsed = bytes === undefined ? undefined : parseJson(bytes.toString("utf8"))
  const state = parsed?.ok === true && isObject(parsed.value) ? parsed.value : {}
  const title = textField(state, "title")
  return {
    cwd: textField(state, "cwd") ?? textField(state, "workDir"),
    title: title === "" ? undefined : title,
    lastPrompt: textField(state, "lastPrompt"),
    forkedFrom: textField(state, "forkedFrom"),
    created: state.createdAt,
    updated: state.updatedAt,
    parentOf: (agent) => textField(objectField(objectField(state, "agents"), agent), "parentAgentId"),
  }
}
