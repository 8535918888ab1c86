// An editor: the protocol's own client, on the other side of two pipes.
import { readFileSync } from "node:fs"
import { PassThrough, Readable, Writable } from "node:stream"
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionNotification,
} from "@agentclientprotocol/sdk"
import { onTestFinished } from "vitest"
import { serveAcp } from "../../src/acp/serve.ts"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import { nothingFound } from "../nothing-found.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"

export interface Editor extends TestHost {
  agent: ClientConnection["agent"]
  updates: SessionNotification["update"][]
  asked: RequestPermissionRequest[]
  /** What the agent said since the last call of this, as one text. */
  said: () => string
  /** What was written for the person who set it up. */
  warnings: string[]
  /** Closes its end; resolves when the agent has ended. */
  leave: () => Promise<void>
  /** Every line that the agent has written. */
  lines: () => string[]
  toAgent: PassThrough
}

/** `answer`: the kind of the option that the person chooses; `later`: they never do. */
export async function editor(
  answer: "allow_once" | "reject_once" | "later" = "allow_once",
  changes: Partial<HostDeps> = {},
): Promise<Editor> {
  const there = makeTestHost({ mode: "default", ...changes })
  const [toAgent, fromAgent] = [new PassThrough(), new PassThrough()]
  const [updates, asked, warnings]: [Editor["updates"], Editor["asked"], string[]] = [[], [], []]
  let written = ""
  const output = new PassThrough()
  output.on("data", (chunk: Buffer) => {
    written += chunk.toString()
    fromAgent.write(chunk)
  })
  const ended = serveAcp({
    host: there.host,
    version: "0",
    input: toAgent,
    output,
    warn: (text) => void warnings.push(text),
    now: () => Date.now(),
    models: async () => [{ value: "practice", about: "rules" }],
    read: textIn,
    find: nothingFound,
    exportSession: async () => "",
    doctor: async () => () => [],
  })
  const app = client({ name: "editor" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      if (answer === "later") return new Promise(() => undefined)
      const option = params.options.find(({ kind }) => kind === answer)
      return { outcome: { outcome: "selected", optionId: option?.optionId ?? "" } }
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
  const stream = ndJsonStream(
    Writable.toWeb(toAgent) as WritableStream<Uint8Array>,
    Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>,
  )
  const { agent } = app.connect(stream)
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  const leave = async () => {
    toAgent.end()
    await ended
  }
  onTestFinished(leave)
  let heard = 0
  const said = () =>
    updates
      .slice(heard, (heard = updates.length))
      .flatMap((each) =>
        each.sessionUpdate === "agent_message_chunk" && each.content.type === "text" ? [each.content.text] : [],
      )
      .join("")
  return { ...there, agent, updates, asked, said, warnings, leave, toAgent, lines: () => written.trimEnd().split("\n") }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}
