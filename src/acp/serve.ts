// retcon as an agent of the Agent Client Protocol: an editor on the other side of a pipe, any agent's sessions behind the Host port.
import { isAbsolute } from "node:path"
import type { Readable, Writable } from "node:stream"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { failureOf } from "../model/failure/system-failure.ts"
import { parseSessionId } from "../model/id.ts"
import { isObject, type Json, type JsonObject } from "../model/json.ts"
import type { MoveResult } from "../model/move/moved.ts"
import { PERMISSION_MODES } from "../model/permission-mode.ts"
import { readLines } from "../programs/child.ts"
import { RPC, RpcError, type RpcMethod, type RpcPeer, rpcPeer } from "../programs/rpc.ts"
import { isOffered } from "../protocol/can-continue.ts"
import type { MoveRequest } from "../protocol/host.ts"
import { workIn } from "../protocol/open-to-work.ts"
import { isDriven } from "../tui/commands/their-commands.ts"
import { plainAdvice } from "../tui/words/advice-words.ts"
import { textOf } from "./content.ts"
import { EditorSession, type EditorSessionDeps } from "./editor-session.ts"

export interface AcpServer extends EditorSessionDeps {
  version: string
  input: Readable
  output: Writable
  /** What the person who set it up should know; it must not go to the editor. */
  warn: (text: string) => void
}

const PAGE = 50

/** Contract: resolves when the editor has closed its end, and whatever ran has been stopped and kept. Writes only messages. */
export async function serveAcp(server: AcpServer): Promise<void> {
  const { host, input, output, warn } = server
  const open = new Map<string, Promise<EditorSession>>()
  let notices = false

  async function known(id: Json | undefined): Promise<EditorSession> {
    const session = open.get(textOf(id))
    if (session === undefined) throw new RpcError(RPC.notFound, `No session ${JSON.stringify(id)} is open here.`)
    return session
  }
  function opened(id: Json | undefined): Promise<EditorSession> {
    const name = parseSessionId(id)
    if (name === undefined) throw new RpcError(RPC.notFound, `There is no session ${JSON.stringify(id)}.`)
    const session = open.get(name) ?? host.open(name).then((each) => new EditorSession(each, peer, server, notices))
    open.set(name, session)
    session.catch(() => open.delete(name))
    return session
  }
  const isTheirs = (servers: Json | undefined) => {
    if (Array.isArray(servers) && servers.length > 0)
      warn("The editor's MCP servers are not used. Configure them for retcon itself.")
  }

  const methods: Record<string, RpcMethod> = {
    initialize({ clientCapabilities }) {
      const client = isObject(clientCapabilities) ? clientCapabilities : {}
      notices = isObject(client.session) && isObject(client.session.notices)
      return {
        protocolVersion: 1,
        agentInfo: { name: "retcon", title: "retcon", version: server.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: false, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
          _meta: { retcon: { methods: Object.keys(MOVES).map((name) => `_retcon/${name}`) } },
        },
        authMethods: [],
      }
    },
    authenticate: () => ({}),
    async "session/new"({ cwd, mcpServers }) {
      if (!isAbsolute(textOf(cwd))) throw new RpcError(RPC.wrongParams, "cwd must be an absolute path.")
      isTheirs(mcpServers)
      const session = new EditorSession(await host.create({ cwd: textOf(cwd) }), peer, server, notices)
      open.set(session.session.id, Promise.resolve(session))
      return session.about()
    },
    async "session/load"({ sessionId, mcpServers }) {
      isTheirs(mcpServers)
      const session = await opened(sessionId)
      await session.replay()
      return session.about()
    },
    "session/resume": async ({ sessionId }) => (await opened(sessionId)).about(),
    "session/list": async ({ cwd, cursor }) => list(textOf(cwd), textOf(cursor)),
    async "session/close"({ sessionId }) {
      const session = await known(sessionId)
      open.delete(textOf(sessionId))
      await session.session.close()
      return {}
    },
    "session/prompt": async ({ sessionId, prompt }, signal) => (await known(sessionId)).prompt(prompt, signal),
    async "session/cancel"({ sessionId }) {
      await (await known(sessionId)).session.stop()
      return undefined
    },
    async "session/set_mode"({ sessionId, modeId }) {
      const { session } = await known(sessionId)
      const mode = PERMISSION_MODES.find((each) => each === modeId)
      const work = workIn(session)
      if (isDriven(session)) await work.choose("mode", textOf(modeId))
      else if (mode !== undefined) await work.setMode(mode)
      else throw new RpcError(RPC.wrongParams, `There is no mode ${JSON.stringify(modeId)}.`)
      return {}
    },
    "session/set_config_option": async ({ sessionId, configId, value }) =>
      (await known(sessionId)).set(configId, value),
    "_retcon/prompts": async ({ sessionId }) => {
      const rounds = await (await known(sessionId)).session.rounds()
      return { prompts: rounds as unknown as Json }
    },
  }
  for (const [name, move] of Object.entries(MOVES))
    methods[`_retcon/${name}`] = async (params) => {
      const result = await move((await known(params.sessionId)).session, params)
      if (result.outcome === "refused") throw new RetconError(result.failure)
      return result as unknown as Json
    }

  async function list(cwd: string, after: string): Promise<Json> {
    const query = { ...(cwd !== "" && { cwd }), ...(after !== "" && { after }) }
    const { sessions, next } = await host.list({ agents: "all", limit: PAGE, ...query })
    const listed = sessions.filter((each) => isOffered(each) && each.cwd !== "")
    return {
      sessions: listed.map(({ id, cwd: folder, title, updated, agent }) => ({
        sessionId: id,
        cwd: folder,
        title: agent === "retcon" ? title : `${title} (${agent})`,
        updatedAt: updated,
        _meta: { retcon: { agent } },
      })),
      ...(next !== null && { nextCursor: next }),
    }
  }

  const peer: RpcPeer = rpcPeer({
    send: (message) => void output.write(`${JSON.stringify(message)}\n`),
    methods: Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, inWords(method)])),
    garbage: (line) => warn(`This line from the editor is no message: ${line.slice(0, 200)}`),
  })
  output.on("error", () => undefined)
  await new Promise<void>((ended) => {
    readLines(
      input,
      (line) => peer.take(line),
      () => ended(),
    )
    input
      .on("end", () => ended())
      .on("close", () => ended())
      .on("error", () => ended())
  })
  peer.close("The editor has closed the connection.")
  await host.close()
}

/** What failed, and what to do, in the words of the terminal. */
function inWords(method: RpcMethod): RpcMethod {
  return async (params, signal) => {
    try {
      return await method(params, signal)
    } catch (error) {
      const failure = error instanceof RpcError ? undefined : failureOf(error)
      if (failure === undefined) throw error
      const { message, advice } = wordsFor(failure)
      const session = typeof params.sessionId === "string" ? params.sessionId : undefined
      const code = failure.code === "not-found" ? RPC.notFound : RPC.internal
      throw new RpcError(code, `${message} ${plainAdvice(advice, session)}`.trimEnd(), { code: failure.code })
    }
  }
}

type Moves = Pick<EditorSession["session"], "back" | "goto" | "undo" | "redo">

/** The protocol has no moves of its own yet. */
const MOVES: Readonly<Record<string, (session: Moves, params: JsonObject) => Promise<MoveResult>>> = {
  back: (session, params) =>
    session.back({ ...requestOf(params), ...(typeof params.rounds === "number" && { rounds: params.rounds }) }),
  goto: (session, params) => session.goto(params.entry === null ? null : textOf(params.entry), requestOf(params)),
  undo: (session, params) => session.undo(requestOf(params)),
  redo: (session, params) => session.redo(requestOf(params)),
}

function requestOf({ files, dryRun, evenIfRunning }: JsonObject): MoveRequest {
  return {
    ...((files === "keep" || files === "restore") && { files }),
    ...(dryRun === true && { dryRun }),
    ...(evenIfRunning === true && { evenIfRunning }),
  }
}
