import { expect, test } from "vitest"
import { Rows } from "../../src/history/rows/rows.ts"
import { readFacts } from "../../src/history/wire/read-facts.ts"
import { columnsOf } from "../history/wire/carried.ts"
import { readEvents, readUntil } from "./reader.ts"
import { serve } from "./test-server.ts"

const answers = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `answer ${i + 1}` }))
const seqs = (events: { data: { seq: number } }[]) => events.map(({ data }) => data.seq)

function serveEvents(...args: Parameters<typeof serve>) {
  const at = serve(...args)
  const listen = async (session: string, last?: string) =>
    readEvents(
      await at.server.fetch(
        at.request("GET", `${session}/events`, undefined, last === undefined ? {} : { "last-event-id": last }),
      ),
    )
  return { ...at, listen }
}

test("a stream begins with the state of the session, and continues without a gap", async () => {
  const { post, newSession, listen } = serveEvents(answers(2))
  const session = await newSession()
  const reader = await listen(session)
  await post(`${session}/converse`, { text: "one", wait: true })
  await reader.until(({ type }) => type === "turn-end")
  const [first, ...rest] = reader.events
  expect(first).toMatchObject({
    type: "reset",
    data: { seq: 0, size: 1, head: null, access: { can: "all" }, live: null },
  })
  expect(seqs(rest)).toEqual(rest.map((_, i) => i + 1))
  for (const { id, type, data } of rest)
    expect([id, type]).toEqual([`${String(first?.data.generation)}.${data.seq}`, data.event.type])
})

test("a reader that comes back gets what it missed, all of it and once", async () => {
  const { post, newSession, listen } = serveEvents(answers(3))
  const session = await newSession()
  const whole = await listen(session)
  const first = await listen(session)
  await post(`${session}/converse`, { text: "one", wait: true })
  const left = await first.until(({ type }) => type === "text-delta")
  const seen = first.events.slice(0, first.events.indexOf(left) + 1)
  await first.leave()
  await post(`${session}/converse`, { text: "two", wait: true })
  const again = await listen(session, left.id)
  await post(`${session}/converse`, { text: "three", wait: true })
  const ends = (reader: typeof whole, count: number) =>
    reader.until(() => reader.events.filter(({ type }) => type === "turn-end").length === count)
  await Promise.all([ends(whole, 3), ends(again, 3)])
  const last = Math.min(whole.events.at(-1)?.data.seq ?? 0, again.events.at(-1)?.data.seq ?? 0)
  const upToLast = (events: typeof seen) => events.filter(({ data }) => data.seq <= last)
  expect(upToLast([...seen, ...again.events])).toEqual(upToLast(whole.events))
})

test("the rows that events carry make the tree that the server has", async () => {
  const { server, request, post, newSession, listen, host } = serveEvents(answers(4))
  const session = await newSession()
  await post(`${session}/converse`, { text: "one", wait: true })
  const response = await server.fetch(request("GET", `${session}/rows`))
  const rows = new Rows()
  readFacts(rows, new Uint8Array(await response.arrayBuffer()))
  expect(response.headers.get("retcon-size")).toBe(String(rows.size))
  const reader = await listen(session)
  const reset = await reader.until(({ type }) => type === "reset")
  expect(reset.data).toMatchObject({ size: rows.size, generation: response.headers.get("retcon-generation") })
  await post(`${session}/converse`, { text: "two", wait: true })
  await post(`${session}/labels`, { entry: "head", name: "here" })
  await post(`${session}/back`)
  await reader.until(({ data }) => data.event?.type === "moved")
  for (const { data } of reader.events) {
    if (typeof data.rows !== "string") continue
    expect(data.from).toBe(rows.size)
    readFacts(rows, Buffer.from(data.rows, "base64"))
    expect(data.records).toHaveLength(rows.size - (data.from as number))
  }
  const open = await host.open(session.split("/").at(-1) as never)
  expect(columnsOf(rows)).toEqual(columnsOf(open.history as typeof open.history & Rows))
  await open.close()
})

test("records are read by row; long texts are cut when asked, and other generations are refused", async () => {
  const { post, get, newSession, server, request } = serveEvents([{ text: "long ".repeat(1000) }])
  const session = await newSession()
  await post(`${session}/converse`, { text: "one", wait: true })
  const { generation, size } = (await get(session)).body
  const rows = Array.from({ length: size }, (_, row) => row)
  type Records = { records: ({ type: string; content?: { text?: string; cut?: number }[] } | null)[] }
  const whole = (await post<Records>(`${session}/records`, { generation, rows: [...rows, size + 5] })).body.records
  expect(whole.at(-1)).toBeNull()
  expect(whole.at(0)?.type).toBe("session")
  const cut = (await post<Records>(`${session}/records`, { rows, cut: 100 })).body.records
  const parts = cut.flatMap((record) => record?.content ?? []).filter((part) => part.cut !== undefined)
  expect(parts).toEqual([expect.objectContaining({ text: expect.stringMatching(/^.{100}$/), cut: 5000 })])
  expect(await post(`${session}/records`, { generation: "other", rows })).toMatchObject({
    status: 409,
    body: { code: "changed" },
  })
  const other = await server.fetch(request("GET", `${session}/rows?generation=other&from=2`))
  expect(other.status).toBe(409)
})

test("a reader that takes nothing is dropped, and the others are not kept waiting", async () => {
  const big = "x".repeat(200_000)
  const { post, newSession, listen, server, request } = serveEvents(Array.from({ length: 12 }, () => ({ text: big })))
  const session = await newSession()
  const stuck = await server.fetch(request("GET", `${session}/events`))
  const reader = await listen(session)
  for (let i = 0; i < 12; i++) await post(`${session}/converse`, { text: `${i}`, wait: true })
  await reader.until(() => reader.events.filter(({ type }) => type === "turn-end").length === 12)
  const late = readEvents(stuck)
  expect(await late.ended).toBe("error")
  expect(late.events.length).toBeLessThan(reader.events.length)
})

test("HEAD of a stream is answered, and does not count as a reader", async () => {
  const { server, request, host } = serveEvents()
  let listeners = 0
  const listen = host.on.bind(host)
  host.on = (listener) => {
    const leave = listen(listener)
    listeners++
    return () => {
      listeners--
      leave()
    }
  }
  const response = await server.fetch(request("HEAD", "/api/events"))
  expect([response.status, response.body]).toEqual([200, null])
  expect(listeners).toBe(0)
  const reader = readEvents(await server.fetch(request("GET", "/api/events")))
  expect(listeners).toBe(1)
  await reader.leave()
})

test("signs of life are sent while nothing happens", async () => {
  const { newSession, server, request } = serveEvents([], { limits: { beat: 5 } })
  const session = await newSession()
  for (const path of [`${session}/events`, "/api/events"]) {
    const response = await server.fetch(request("GET", path))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await readUntil(reader, ": beat\n\n")
    await reader.cancel()
  }
})

test("the list reports sessions that appear and change", async () => {
  const { post, newSession, server, request } = serveEvents(answers(1), {}, { lookEvery: 10 })
  const reader = readEvents(await server.fetch(request("GET", "/api/events")))
  await reader.until(({ type }) => type === "reset")
  const session = await newSession()
  await post(`${session}/converse`, { text: "a new one", wait: true })
  const told = await reader.until(({ type, data }) => type === "session-changed" && session.endsWith(idIn(data)))
  expect(told.id).toMatch(/^g\d+\.\d+$/)
  await reader.leave()
})

test("closing stops what runs, announces it, ends every stream with an event that says so, and answers nothing more", async () => {
  const { server, request, post, newSession, listen } = serveEvents([{ text: "I begin", hangs: true }])
  const session = await newSession()
  const reader = await listen(session)
  const list = readEvents(await server.fetch(request("GET", "/api/events")))
  await post(`${session}/converse`, { text: "one" })
  await reader.until(({ type }) => type === "text-delta")
  await server.close()
  expect(await reader.ended).toBe("end")
  expect(reader.events.map(({ type }) => type)).toContain("turn-end")
  expect(reader.events.at(-1)?.type).toBe("host-closing")
  expect(await list.ended).toBe("end")
  expect(list.events.at(-1)?.type).toBe("host-closing")
  expect((await server.fetch(request("GET", session))).status).toBe(503)
})

test("a client that joins in the middle of a turn gets what was said so far", async () => {
  const { post, newSession, listen } = serveEvents([{ text: "I begin", hangs: true }])
  const session = await newSession()
  const early = await listen(session)
  await post(`${session}/converse`, { text: "one" })
  await early.until(({ type }) => type === "text-delta")
  const late = await (await listen(session)).until(({ type }) => type === "reset")
  expect(late.data).toMatchObject({ live: { turn: 1, text: "I begin", prompt: expect.any(String), approvals: [] } })
  await post(`${session}/stop`)
})

function idIn(data: unknown): string {
  return (data as { session: { id: string } }).session.id
}
