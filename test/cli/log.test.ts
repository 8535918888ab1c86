import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { widthOf } from "../../src/model/text/sanitise.ts"
import { eventful, HOSTILE, makeStage, round } from "./stage.ts"

const STEERING = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

async function eventfulStage() {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  await session.close()
  stage.wait(1)
  return stage
}

test("the path and what left it fit 80 columns", async () => {
  const stage = await eventfulStage()
  const { out } = await stage.retcon("log")
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append works, and when it fa… · session 0869ca

    f758b9    1m  ● head @4 Now run them                                  2 messages
    99fa5b    1d  ◇ compaction, 84k → 6k tokens: parse is parseRecord now; it has t…
    cf3091    1d  ○ @3 Write the tests                                    2 messages
    9afb5c    1d  ├─╴ [scanner] left: 试试用正则表达式解析 🎉 看看会不…   4 messages
    72d334    1d  ◇ note, discards 6: Only record-parse.ts uses it.        1 message
    1475d6    1d  ├─╴ left: … calls read: src/file-0.ts                   6 messages
    58b91a    1d  ○ @2 Rename parse to parseRecord                3 messages, 1 call
    66c728    1d  ○ @1 Read src/store and tell me how an append works,…   2 messages

    2 branches are not shown. See all with: retcon log --all
    "
  `)
})

test("every branch fits 80 columns", async () => {
  const stage = await eventfulStage()
  const { out } = await stage.retcon("log --all")
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append works, and when it fa… · session 0869ca

    f758b9    1m  ● head @4 Now run them                                  2 messages
    99fa5b    1d  ◇ compaction, 84k → 6k tokens: parse is parseRecord now; it has t…
    cf3091    1d  ○ @3 Write the tests                                    2 messages
    9afb5c    1d  │ ○ [scanner] And with a scanner?                       2 messages
    0667c8    1d  │ ○ 试试用正则表达式解析 🎉 看看会不会更快              2 messages
                  ├─╯
    72d334    1d  ◇ note, discards 6: Only record-parse.ts uses it.        1 message
    1475d6    1d  │ ○ … calls read: src/file-0.ts                6 messages, 3 calls
                  ├─╯
    58b91a    1d  ○ @2 Rename parse to parseRecord                3 messages, 1 call
    66c728    1d  ○ @1 Read src/store and tell me how an append works,…   2 messages
    "
  `)
})

test("and 60", async () => {
  const stage = await eventfulStage()
  const { out } = await stage.retcon("log --all", { width: 60 })
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append w… · session 0869ca

    f758b9    1m  ● head @4 Now run them              2 messages
    99fa5b    1d  ◇ compaction, 84k → 6k tokens: parse is parse…
    cf3091    1d  ○ @3 Write the tests                2 messages
    9afb5c    1d  │ ○ [scanner] And with a scanner?   2 messages
    0667c8    1d  │ ○ 试试用正则表达式解析 🎉 看看…   2 messages
                  ├─╯
    72d334    1d  ◇ note, discards 6: Only record-pa…  1 message
    1475d6    1d  │ ○ … calls read: src/file-0.ts     6 messages
                  ├─╯
    58b91a    1d  ○ @2 Rename parse to parseRecord    3 messages
    66c728    1d  ○ @1 Read src/store and tell me h…  2 messages
    "
  `)
  for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60)
})

test("colours say nothing that is not there without them", async () => {
  const stage = await eventfulStage()
  const plain = await stage.retcon("log --all")
  const coloured = await stage.retcon("log --all", { colours: true })
  expect(coloured.out).toContain("\u001b[32m●\u001b[39m")
  expect(stripVTControlCharacters(coloured.out)).toBe(plain.out)
})

test("after going back, what was left is above the head", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await round(session, "two")
  await session.back()
  await session.close()
  const { out } = await stage.retcon("log")
  expect(out).toMatchInlineSnapshot(`
    "one · session 0869ca

    3091f2   now  ╭─╴ left: two                                           2 messages
    9cfd5e   now  ● head @1 one                                           2 messages

    1 branch is not shown. See all with: retcon log --all
    "
  `)
})

test("at the start, the empty conversation is the head", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await session.goto(null)
  await round(session, "other")
  await session.goto(null)
  await session.close()
  const { out } = await stage.retcon("log --all")
  expect(out).toMatchInlineSnapshot(`
    "one · session 0869ca

    fa5bbc   now    ○ other                                               2 messages
                  ╭─╯
    9cfd5e   now  │ ○ one                                                 2 messages
                  ├─╯
                  ● head start: the empty conversation
    "
  `)
})

test("a session that only has a title says so", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.configure("title", "Plans")
  await session.close()
  const { out } = await stage.retcon(["log", "-s", session.id])
  expect(out).toMatchInlineSnapshot(`
    "Plans · session 0869ca

    The conversation is empty.
    "
  `)
})

test("--limit shows the newest lines and says how much more there is", async () => {
  const stage = await eventfulStage()
  const { out } = await stage.retcon("log --limit 2")
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append works, and when it fa… · session 0869ca

    f758b9    1m  ● head @4 Now run them                                  2 messages
    99fa5b    1d  ◇ compaction, 84k → 6k tokens: parse is parseRecord now; it has t…
                  ⋮ 12 more entries; see them with a larger --limit
    "
  `)
})

test("a session that was split off is named where it left, and says where it came from", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  const split = await session.split()
  await split.session.close()
  await session.close()
  const from = await stage.retcon(["log", "-s", session.id])
  expect(from.out).toContain(`(split ${split.session.id.slice(-6)})`)
  const to = await stage.retcon(["log", "-s", split.session.id])
  expect(to.out).toContain(`, split from ${session.id.slice(-6)}`)
})

test("nothing in a session can steer the terminal", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.configure("title", HOSTILE)
  await round(session, HOSTILE, HOSTILE)
  await session.close()
  for (const command of [
    "log",
    "log --all",
    "show",
    "show --context",
    "show --entry head",
    "prompts",
    "ops",
    "ls",
    "export",
  ]) {
    const { out } = await stage.retcon(command)
    expect(out).not.toMatch(STEERING)
    expect(out).toContain("end")
  }
  for (const command of [
    "log --json",
    "show --json",
    "prompts --json",
    "ls --json",
    "ops --json",
    "export --to json",
  ]) {
    const { out } = await stage.retcon(command)
    expect(out).not.toMatch(STEERING)
    expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(HOSTILE).slice(1, -1))
  }
})

test("--json has the head, the tips and every entry of every branch", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const [first, answer] = await round(session, "one", "1")
  const [, left] = await round(session, "two", "2")
  await session.back()
  await session.append({ type: "state", key: "model", value: "m" })
  const [, last] = await round(session, "three", "3")
  await session.close()
  const { out } = await stage.retcon("log --json")
  const log = JSON.parse(out)
  expect(log.head).toBe(last)
  expect(log.tips).toEqual([left, last])
  expect(log.entries).toHaveLength(7)
  expect(log.entries[0]).toMatchObject({
    id: first,
    parent: null,
    type: "message",
    role: "user",
    origin: "prompt",
    text: "one",
  })
  expect(log.entries[1]).toMatchObject({ id: answer, parent: first, role: "assistant", origin: "agent", text: "1" })
  expect(log.entries[4]).toMatchObject({ type: "state", parent: answer })
  expect(log.entries[4]).not.toHaveProperty("role")
  const limited = (limit: number) => stage.retcon(`log --json --limit ${limit}`).then(({ out }) => JSON.parse(out))
  expect(await limited(2)).toEqual({ ...log, entries: log.entries.slice(-2) })
  expect(await limited(7)).toEqual(log)
  expect(await limited(2_000_000)).toEqual(log)
})
