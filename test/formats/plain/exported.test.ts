import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readPlain } from "../../../src/formats/plain/read.ts"
import { parseSessionId } from "../../../src/model/id.ts"
import { openSession } from "../../../src/session/session.ts"
import { Bench, type Ran } from "../../cli/bench.ts"
import { eventful, makeStage, round, type Stage } from "../../cli/stage.ts"

async function contextOf(bench: Bench, ran: Ran) {
  const { store, sessionOptions } = bench.cli()
  const id = parseSessionId((ran.json() as { session: string }).session)
  if (id === undefined) throw new Error(ran.err)
  const session = await openSession(store, id, sessionOptions)
  const context = session.context()
  await session.close()
  return context
}

test("export, then import: text, thinking, tool calls, results and the system prompt are the same", async () => {
  for (const name of ["openai.json", "anthropic.json"]) {
    const bench = new Bench()
    const messages = readFileSync(join(import.meta.dirname, "fixtures", name), "utf8")
    const first = await bench.run(["import", "-", "--json"], { input: messages })
    const exported = await bench.run(["export", "--to", "json"])
    const second = await bench.run(["import", "-", "--json"], { input: exported.out })
    expect(second.json()).toMatchObject({ messages: (first.json() as { messages: number }).messages })
    expect(await contextOf(bench, second)).toEqual(await contextOf(bench, first))
  }
})

/** What a person can see of a session, without what belongs to the copy alone. */
async function views(stage: Stage, id: string) {
  const views = ["log --json", "show --json", "prompts --json", "show --context --json", "ops --json", "title"]
  const outs = await Promise.all(views.map((view) => stage.retcon([...view.split(" "), "-s", id])))
  const { labels, head, tips } = JSON.parse((await stage.retcon(["export", "--to", "json", "-s", id])).out)
  return { outs: outs.map(({ out }) => out), labels, head, tips }
}

async function exportedAgain(stage: Stage, id: string) {
  const { out } = await stage.retcon(["export", "--to", "json", "-s", id])
  const again = await stage.retcon(["import", "-", "--json"], { input: out })
  expect(again).toMatchObject({ exit: 0, err: "" })
  return JSON.parse(again.out) as { session: string; messages: number; prompts: number; branches: number }
}

test("every branch comes back, with labels, notes, compactions, moves, title and head", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  await session.configure("title", "All of it")
  await session.back()
  const { id, head } = session
  await session.close()
  const { session: copy, ...counts } = await exportedAgain(stage, id)
  expect(counts).toMatchObject({ branches: 3, damaged: 0, unknown: [] })
  expect(await views(stage, copy)).toEqual(await views(stage, id))
  expect(JSON.parse((await stage.retcon(["undo", "--json", "-s", copy])).out)).toMatchObject({ from: head, left: 0 })
  const { out } = await stage.retcon(["ls"])
  expect(out.match(/All of it/g)).toHaveLength(2)
})

test("a large text is kept whole, and so is a head at the start, with all branches left", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const long = "long ".repeat(20_000)
  await round(session, long, "read")
  await session.goto(null)
  await round(session, "anew", "again")
  await session.goto(null)
  await session.close()
  const { session: copy } = await exportedAgain(stage, session.id)
  expect(await views(stage, copy)).toEqual(await views(stage, session.id))
  expect((await stage.retcon(["show", "--entry", "@1", "-s", copy])).exit).toBe(1)
  await stage.retcon(["undo", "-s", copy])
  expect((await stage.retcon(["show", "-s", copy])).out).toContain("anew")
  expect((await stage.retcon(["log", "--json", "-s", copy])).out).toContain(long)
})

test("what a newer version wrote is exported as it stands, and comes back so", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const [, answer] = await round(session, "one")
  await session.close()
  const id = answer.slice(0, -4).concat("ffff")
  const newer = { id, type: "dream", parent: answer, at: "2026-01-01T00:00:00.000Z", about: { sheep: 3 } }
  appendFileSync(session.log.file as string, `${JSON.stringify(newer)}\nbroken\n`)
  const { session: copy, ...counts } = await exportedAgain(stage, session.id)
  expect(counts).toMatchObject({ damaged: 1 })
  const { entries } = JSON.parse((await stage.retcon(["export", "--to", "json", "-s", copy])).out)
  expect(entries.at(-1)).toEqual(newer)
})

test("an export that was tampered with ends, and says what is wrong", () => {
  const read = (value: object) =>
    readPlain(new TextEncoder().encode(JSON.stringify({ format: "retcon-export", version: 1, ...value })))
  expect(read({ head: null, entries: [] })).toEqual({ ok: false, problem: "it contains no messages" })
  const cycle = [
    { id: "a", parent: "b" },
    { id: "b", parent: "a" },
  ]
  expect(read({ head: "a", entries: cycle })).toMatchObject({ ok: false })
  const id = "019b7ca9-9070-750f-aa91-08c6670e3f93"
  const entry = { id, type: "state", parent: null, at: "", key: "k", value: 1 }
  expect(read({ head: id, entries: [entry, entry] })).toMatchObject({ problem: `entry "${id}" appears twice` })
  expect(read({ head: null, version: 2, entries: [entry] })).toMatchObject({ problem: "it is an export of version 2" })
  const elsewhere = id.replace("019b", "019c")
  expect(read({ head: elsewhere, entries: [entry] })).toMatchObject({ problem: "its head is not one of its entries" })
})
