import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readPlain } from "../../../src/formats/plain/read.ts"
import { parseSessionId } from "../../../src/model/id.ts"
import { openSession } from "../../../src/session/session.ts"
import { Bench, type Ran } from "../../cli/bench.ts"

async function contextOf(bench: Bench, ran: Ran) {
  const { store, parts } = bench.cli()
  const id = parseSessionId((ran.json() as { session: string }).session)
  if (id === undefined) throw new Error(ran.err)
  const session = await openSession(store, id, parts)
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

test("only the path to the head is imported, and a large text comes along whole", async () => {
  const bench = new Bench()
  const long = "long ".repeat(20_000)
  const messages = [
    { role: "user", content: long },
    { role: "assistant", content: "read" },
    { role: "user", content: "wrong way" },
    { role: "assistant", content: "lost" },
  ]
  await bench.run(["import", "-"], { input: JSON.stringify(messages) })
  await bench.run(["back"])
  const exported = await bench.run(["export", "--to", "json"])
  const again = await bench.run(["import", "-", "--json"], { input: exported.out })
  const context = await contextOf(bench, again)
  expect(context.map(({ content }) => content[0])).toEqual([
    { type: "text", text: long },
    { type: "text", text: "read" },
  ])
})

test("an export that was tampered with ends, and says what is wrong", () => {
  const read = (value: object) =>
    readPlain(new TextEncoder().encode(JSON.stringify({ format: "retcon-export", ...value })))
  expect(read({ head: null, entries: [] })).toEqual({ ok: false, problem: "it holds no messages" })
  const cycle = [
    { id: "a", parent: "b" },
    { id: "b", parent: "a" },
  ]
  expect(read({ head: "a", entries: cycle })).toMatchObject({ ok: false })
})
