import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { widthOf } from "../../src/model/text/sanitise.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"
import { Bench } from "./bench.ts"
import { eventful, makeStage, round, step } from "./stage.ts"

test("the conversation reads from the first prompt to the head", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  await session.close()
  const { out } = await stage.retcon("show")
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append works, and when it fa… · session 0869ca

    @1 you                                                           9cfd5e · 1d ago
    Read src/store and tell me how an append works, and when it fails

    agent                                                            66c728 · 1d ago
    One write per batch.

    @2 you                                                           3091f2 · 1d ago
    Rename parse to parseRecord

    agent                                                            c42586 · 1d ago
    Let me look.
      ▸ grep parse → 40 lines, 440 B

    ◇ note from its future self, discards 6 messages                 de3fa0 · 1d ago
    Only record-parse.ts uses it.
    - src/a.ts is changed

    agent                                                            72d334 · 1d ago
    Renamed in one file.

    @3 you                                                           f859ba · 1d ago
    Write the tests

    agent                                                            cf3091 · 1d ago
    14 tests.

    ◇ compaction: the model sees this, not what is above             99fa5b · 1d ago
    parse is parseRecord now; it has tests.

    @4 you                                                         2d8eef · just now
    Now run them

    agent                                                          f758b9 · just now
    All green.

    "
  `)
})

test("on a screen long lines are broken at spaces, also at 60 columns", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(
    session,
    `${"word ".repeat(30)}and ${"x".repeat(100)} ${"正则表达式".repeat(20)}`,
    "  - indented ".repeat(9),
  )
  await step(session, "bash", { command: "npm test -- ".repeat(20) }, "1\n".repeat(2000))
  await session.close()
  for (const width of [60, 80]) {
    const { out } = await stage.retcon("show", { width, terminal: true })
    for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width)
  }
  const { out } = await stage.retcon("show")
  expect(out).toContain("x".repeat(100))
})

test("a call is one line with the size of its result; thinking is short; open and failed calls say so", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.append([
    promptDraft("Do it"),
    answerDraft([
      { type: "reasoning", text: `I think ${"hard ".repeat(40)}` },
      { type: "tool-call", call: "1", name: "bash", input: { command: "ls" } },
      { type: "tool-call", call: "2", name: "read", input: { path: "gone.ts" } },
      { type: "tool-call", call: "3", name: "todo", input: { items: ["a", "b"] } },
    ]),
    toolDraft([
      { type: "tool-result", call: "1", output: "a\nb\n" },
      { type: "tool-result", call: "2", output: "no such file", error: true },
      { type: "tool-result", call: "9", output: "whose?" },
    ]),
  ])
  await session.close()
  const { out } = await stage.retcon("show")
  expect(out).toMatchInlineSnapshot(`
    "Do it · session 0869ca

    @1 you                                                         d23394 · just now
    Do it

    agent                                                          9cfd5e · just now
      (thinking) I think hard hard hard hard hard hard hard hard hard hard hard har…
      ▸ bash ls → 2 lines, 4 B
      ▸ read gone.ts → failed: no such file
      ▸ todo {"items":["a","b"]} → no result

      ▸ result of an unknown call → whose?

    "
  `)
})

test("--context prints what a model would get", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.append({ type: "state", key: "system", value: "Be brief." })
  await session.append(promptDraft("Look"))
  await step(session, "ls", { path: "." }, "a\nb")
  await session.close()
  const { out } = await stage.retcon("show --context", { width: 40 })
  expect(out).toMatchInlineSnapshot(`
    "── system ──────────────────────────────
    Be brief.

    ── user ────────────────────────────────
    Look

    ── assistant ───────────────────────────
    [tool-call] ls {"path":"."}

    ── tool ────────────────────────────────
    [tool-result] ls
    a
    b

    "
  `)
})

test("--context --json is a list of messages, exactly those of the library", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  const expected = session.context()
  await session.close()
  const { out } = await stage.retcon("show --context --json")
  const messages = JSON.parse(out)
  expect(messages).toEqual(expected)
  expect(messages[0]).toEqual({ role: "system", content: [{ type: "text", text: "You are a coding agent." }] })
})

test("--context --entry is what a model would have got there", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const [, answer] = await round(session, "one", "1")
  await round(session, "two", "2")
  await session.close()
  const { out } = await stage.retcon(`show --context --json --entry ${answer.slice(-6)}`)
  expect(JSON.parse(out)).toHaveLength(2)
})

test("--entry shows one entry whole; with --json also its line of the log, byte for byte", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const [prompt] = await round(session, "one", "1")
  const line = Buffer.from(session.log.line(1)).toString("utf8")
  await session.close()
  const { out } = await stage.retcon("show --entry @1")
  expect(out).toContain(`entry     ${prompt}`)
  expect(out).toContain("origin    prompt")
  const json = JSON.parse((await stage.retcon("show --entry @1 --json")).out)
  expect(json).toMatchObject({ id: prompt, line: 2, raw: line, entry: { role: "user" } })
})

test("an entry that does not exist is refused with what to do", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await session.close()
  const { exit, err } = await stage.retcon("show --entry @7 --json")
  expect(exit).toBe(1)
  expect(JSON.parse(err).error.code).toBe("not-found")
})

test("a path whose beginning is damaged or gone says so, in show and in log", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  const [, lost] = await round(session, "two")
  const [third] = await round(session, "three")
  await session.close()
  const file = session.log.file as string
  const lines = readFileSync(file, "utf8").split("\n")
  const sound = [await stage.retcon("show"), await stage.retcon("log")]
  for (const { out } of sound) expect(out).not.toContain("retcon doctor")
  const row = lines.findIndex((line) => line.includes(`"id":"${lost}"`))
  for (const instead of [["garbage"], []]) {
    writeFileSync(file, lines.toSpliced(row, 1, ...instead).join("\n"))
    for (const command of ["show", "log", "log --all"]) {
      const { out } = await stage.retcon(command, { width: 60 })
      expect(out.replace(/\s+/g, " ")).toContain(`What came before ${third.slice(-6)} is missing`)
      expect(out).toContain("retcon doctor")
      for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60)
    }
  }
})

test.each(["prompts", "prompts --json", "prompts --limit 2", "show", "show --context", "show --context --json"])(
  "a line of the path that cannot be read is reported by %s, on standard error",
  async (command) => {
    const bench = new Bench()
    const session = await bench.session(3)
    const file = session.log.file ?? ""
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace('"answer 2"', '"answer 2'))
    const { err, exit } = await bench.run(command.split(" "))
    expect(exit).toBe(0)
    expect(err).toContain("1 line of the session cannot be read")
    expect(err).toContain("retcon doctor -s")
  },
)
