// Everything that a person or the agent can do with a conversation, each against a server with a vendor's rules.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import type { Connection } from "../../src/agent/mcp/connection.ts"
import { mcpTool } from "../../src/agent/mcp/servers.ts"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import type { JsonObject } from "../../src/model/json.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { png } from "../provider/fakes/images.ts"
import { tokensOf } from "../provider/fakes/refusal.ts"
import { SCHEMAS } from "../provider/fakes/schemas.ts"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { endlessReply, modelAt, type WireAnswer } from "../provider/wire/server.ts"
import { until } from "./talk.ts"
import { type WireHost, wireHost } from "./wire.ts"

export type Flow = (vendor: Vendor) => Promise<WireHost>

let calls = 0
const call = (name: string, input: JsonObject) => ({ id: `call_${++calls}`, name, input })
const read = (path = "a.txt") => call("Read", { path })
const uses = (...made: ReturnType<typeof call>[]): WireAnswer => ({ reasoning: "Hm.", calls: made })
const says = (text: string): WireAnswer => ({ reasoning: "Hm.", text })
const picture = { type: "image" as const, mediaType: "image/png", data: png() }

async function start(vendor: Vendor, ...more: [changes?: object, limits?: object]) {
  const at = await wireHost(vendor, ...more)
  writeFileSync(join(at.root, "a.txt"), "x\n")
  return { at, ...(await at.open()) }
}

/** The provider gives these answers to the prompt. */
async function round(at: WireHost, session: WorkSession, text: string, ...answers: WireAnswer[]): Promise<void> {
  at.say(...answers)
  expect(await session.send({ text })).toMatchObject({ outcome: "done" })
}

/** Two rounds, the second with a tool, and a third after `between`. */
const around =
  (between: (session: WorkSession, at: WireHost) => Promise<void>): Flow =>
  async (vendor) => {
    const { at, session } = await start(vendor)
    await round(at, session, "One", says("First."))
    await round(at, session, "Two", uses(read()), says("Second."))
    await between(session, at)
    await round(at, session, "Three", uses(read()), says("Third."))
    await round(at, session, "Four", says("Fourth."))
    return at
  }

const moved = { outcome: "moved" }

export const FLOWS: Record<string, Flow> = {
  "plain rounds and tools": around(async () => undefined),
  "several calls at once, one of them failing": around((session, at) =>
    round(at, session, "All", uses(read(), read("nowhere.txt"), call("Bash", { command: "echo hello" })), says("Ok.")),
  ),
  "text before a call, and a call without thinking": around((session, at) =>
    round(at, session, "Look", { text: "Looking.", calls: [read()] }, { calls: [read()] }, { text: "Seen." }),
  ),
  "a call of a tool that is not there, and one whose input is no JSON": around((session, at) =>
    round(
      at,
      session,
      "Odd",
      uses(call("Nonsense", { a: 1 })),
      { reasoning: "Hm.", calls: [{ id: "call_odd", name: "Read", input: '{"path": "a' }] },
      says("Odd."),
    ),
  ),
  back: around(async (session) => {
    expect(await session.back()).toMatchObject(moved)
  }),
  undo: around(async (session) => {
    expect(await session.undo()).toMatchObject(moved)
  }),
  "undo and redo": around(async (session) => {
    expect(await session.undo()).toMatchObject(moved)
    expect(await session.redo()).toMatchObject(moved)
  }),
  goto: around(async (session, at) => {
    await round(at, session, "Aside", uses(read()), says("Aside."))
    expect(await session.goto("@2")).toMatchObject(moved)
  }),
  "goto the middle of a round": around(async (session, at) => {
    const { history } = session
    const rows = Array.from({ length: history.size }, (_, row) => history.record(row))
    const made = rows.filter((record) => record?.type === "message")
    const result = made.findIndex(({ role }) => role === "tool")
    // What has been answered there, and what has not.
    for (const entry of [made[result], made[result - 1]]) {
      expect(await session.goto(entry?.id ?? "")).toMatchObject(moved)
      await round(at, session, "Aside", says("Aside."))
    }
  }),
  "goto with a summary": around(async (session, at) => {
    at.say(says("It was x."))
    expect(await session.goto("@2", { summarise: true })).toMatchObject(moved)
  }),
  backtrack: around((session, at) =>
    round(
      at,
      session,
      "Explore",
      uses(read()),
      uses(read()),
      uses(call("Backtrack", { checkpoint_id: 3, note: "a.txt holds x" })),
      uses(read()),
      says("It holds x."),
    ),
  ),
  compaction: around(async (session, at) => {
    await round(at, session, "More", uses(read()), says("More."))
    at.say(says("## Goal\nRead."))
    expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  }),
  "files in a small window that holds none of them": async (vendor) => {
    const tools = async (parts: Parameters<typeof builtInTools>[0]) =>
      builtInTools(parts)
        .filter(({ name }) => name === "Read")
        .map((tool) => ({ ...tool, description: tool.name }))
    const { at, session } = await start(vendor, { tools, backtrack: false }, { window: 8_000 })
    writeFileSync(join(at.root, "large.txt"), "a line of a file, with words\n".repeat(1_500))
    let asked = 0
    at.server.otherwise = (request) => {
      const usage = { input: tokensOf(request.json), output: 20 }
      const isSummary = request.text.includes("write a summary of this conversation")
      const answer = isSummary ? says("## Goal\nRead.") : asked++ % 2 === 0 ? uses(read("large.txt")) : says("Read.")
      return vendor.reply({ ...answer, usage })
    }
    for (const n of [1, 2, 3, 4]) await round(at, session, `Prompt ${n}`)
    expect(asked).toBeGreaterThan(7)
    return at
  },
  "a message while it works": around(async (session, at) => {
    let steered: Promise<unknown> = Promise.resolve()
    const forget = session.on(({ event: { type } }) => {
      if (type !== "step-start") return
      forget()
      steered = session.send({ text: "And be quick." })
    })
    await round(at, session, "Long", uses(read()), says("Quick."))
    expect(await steered).toMatchObject({ outcome: "steered" })
  }),
  "stop in mid-answer": (vendor) =>
    around(async (session, at) => {
      at.server.reply(endlessReply(vendor))
      const sent = session.send({ text: "Talk" })
      await until(session, ({ type }) => type === "text-delta")
      await session.stop()
      expect(await sent).toMatchObject({ outcome: "stopped" })
    })(vendor),
  "stop while a tool runs": around(async (session, at) => {
    at.say(uses(read(), call("Bash", { command: "echo started; sleep 60" })))
    const sent = session.send({ text: "Run" })
    await until(session, ({ type }) => type === "tool-delta")
    await session.stop()
    expect(await sent).toMatchObject({ outcome: "stopped" })
  }),
  "a sub-agent": around((session, at) =>
    round(
      at,
      session,
      "Delegate",
      uses(call("Task", { description: "sub", prompt: "look below" })),
      uses(read()),
      says("Found."),
      says("It is found."),
    ),
  ),
  "images in a prompt and in a result": around(async (session, at) => {
    writeFileSync(join(at.root, "p.png"), Buffer.from(picture.data, "base64"))
    at.say(uses(read("p.png"), read()), says("A picture."))
    expect(await session.send({ text: "Look", media: [picture] })).toMatchObject({ outcome: "done" })
  }),
  "a picture without a word": around(async (session, at) => {
    at.say(says("A picture."))
    expect(await session.send({ text: "", media: [picture] })).toMatchObject({ outcome: "done" })
  }),
  "tools of others, with schemas of all kinds": async (vendor) => {
    const tools = async (parts: Parameters<typeof builtInTools>[0]) => [...builtInTools(parts), ...FOREIGN]
    const { at, session } = await start(vendor, { tools })
    await round(at, session, "One", uses(call("mcp__other__plain", { a: 1 })), says("Called."))
    await round(at, session, "Two", says("Done."))
    return at
  },
  "-c with other tools": async (vendor) => {
    const { at, session } = await start(vendor)
    await round(at, session, "One", uses(read()), says("First."))
    await session.close()
    at.parts.backtrack = false
    const before = { ...at.parts }
    at.parts.tools = async (...about) => [
      ...(await before.tools(...about)).filter(({ name }) => name !== "Read"),
      ...FOREIGN,
    ]
    const again = (await at.open(session.id)).session
    await round(at, again, "Two", uses(call("mcp__other__plain", { a: 1 })), says("Second."))
    await round(at, again, "Three", says("Third."))
    return at
  },
  "another vendor's model in mid-session, and back again": async (vendor) => {
    const { at, session } = await start(vendor)
    await round(at, session, "One", uses(read(), read()), says("First."))
    const others = Object.entries(VENDORS).filter(([, other]) => other.endpoint !== vendor.endpoint)
    const before = { ...at.parts }
    const servers: WireHost[] = []
    for (const [name, other] of others as [string, Vendor][]) {
      const there = await wireHost(other)
      servers.push(there)
      at.parts.model = async (wanted) => (wanted === name ? modelAt(there.server, other) : before.model(undefined))
      await session.setModel(name)
      there.say(uses(read(), read()), says(`By ${name}.`))
      expect(await session.send({ text: `To ${name}` })).toMatchObject({ outcome: "done" })
      await session.setModel("home")
      await round(at, session, "Home", uses(read()), says("Home."))
    }
    expect(servers.flatMap(({ server }) => server.refused.map(({ because }) => because))).toEqual([])
    return at
  },
}

/** Nobody is behind it. */
const connection = {
  server: { name: "other" },
  client: async () => ({ callTool: async () => ({ content: [{ type: "text", text: "called" }] }) }),
} as unknown as Connection

const FOREIGN = Object.entries(SCHEMAS).map(([name, inputSchema]) =>
  mcpTool(connection, { name, inputSchema: inputSchema as { type: "object" } }),
)
