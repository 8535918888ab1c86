import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { prompts } from "../../src/history/tree/tree.ts"
import { plainText } from "../../src/model/record/record.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import type { NumberedEvent } from "../../src/protocol/numbered-event.ts"
import { MID_STREAM, type MidStream, midStreamHost } from "./mid-stream.ts"
import { bash, talk, until } from "./talk.ts"

const textAt = ({ history }: WorkSession, row: number) => {
  const record = history.record(row)
  return record?.type === "message" ? plainText(record.content) : ""
}

async function standIn(row: MidStream) {
  const { open, host } = midStreamHost(row)
  const { session } = await open()
  const clients = [session, ...(row.clients === 2 ? [await host.open(session.id)] : [])]
  for (const text of row.before) await session.send({ text })
  const heard: NumberedEvent[] = []
  session.on((told) => heard.push(told))
  const come = until(session, row.comes)
  const sent = session.send({ text: "go" })
  await come
  const turn = session.live()?.turn ?? 0
  return { session, clients, heard, sent, turn }
}

describe.each(MID_STREAM)("back $name", (row) => {
  test("plans, stops, settles, moves, then answers; and nothing late is reported as if it were new", async () => {
    const { session, clients, heard, sent, turn } = await standIn(row)
    const answers = await Promise.all(clients.map((client) => client.back()))
    const told = answers.map((each) =>
      each.outcome === "refused" ? { code: each.failure.code } : { prompt: each.prompt?.text },
    )
    expect(told).toHaveLength(row.told.length)
    expect(told).toEqual(expect.arrayContaining([...row.told]))
    expect(prompts(session.history, session.head).map((each) => textAt(session, each))).toEqual(row.after)
    if (row.after.includes("go")) {
      expect(session.live()).toMatchObject({ turn })
      await session.stop()
      await sent
      return
    }
    expect(session.live()).toBeUndefined()
    expect(session.status()).toMatchObject({ running: false, waiting: false })
    expect(await sent).toMatchObject({ outcome: "stopped" })

    const moved = heard.findIndex(({ event }) => event.type === "moved")
    expect(heard[moved]?.turn).toBeGreaterThan(turn)
    expect(heard.slice(0, moved).map(({ event }) => event.type)).toContain("turn-end")
    const ofTurn = heard.filter(({ event }) => /^(text|reasoning|tool|approval|step|turn)-/.test(event.type))
    expect(ofTurn.every((each) => each.turn === turn)).toBe(true)
    expect(await session.send({ text: "after" })).toMatchObject({ outcome: "done" })
    expect(heard.at(-1)?.turn).toBeGreaterThan(turn)
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, i) => i + (heard[0]?.seq ?? 0)))
    for (const client of clients.slice(1)) await client.close()
  })
})

test("a tool that does not stop when asked: what it still prints reaches nobody, and is in no log", async () => {
  let print: (text: string) => void = () => undefined
  const { open } = talk([bash("true"), { text: "Two." }], {
    tools: async (parts) =>
      builtInTools(parts).map((tool) => ({
        ...tool,
        run: (_, { emit }) => {
          print = emit
          emit("started")
          return new Promise<never>(() => undefined)
        },
      })),
  })
  const { session } = await open()
  const heard: NumberedEvent[] = []
  session.on((told) => heard.push(told))
  const started = until(session, ({ type }) => type === "tool-delta")
  const sent = session.send({ text: "go" })
  await started
  await session.goto(null)
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(await session.send({ text: "after" })).toMatchObject({ outcome: "done" })
  print("too late")
  expect(JSON.stringify(heard)).not.toContain("too late")
  expect(session.live()).toBeUndefined()
  expect(readFileSync(session.file ?? "", "utf8")).not.toContain("too late")
})
