import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { answerDraft } from "../../src/session/state/draft.ts"
import { makeStage, round, type Stage, step } from "./stage.ts"

interface Answer {
  sessions: { session: string; title: string; hits: JsonHit[]; copies: string[]; words: Record<string, number> }[]
  how: string
  missing: string[]
  next: string | null
  total: number
}

interface JsonHit {
  entry: string | null
  where: string
  onPath: boolean
  text: string
  marks: [number, number][]
}

async function answer(stage: Stage, text: string, ...more: string[]): Promise<Answer> {
  const { out } = await stage.retcon(["search", text, "--json", ...more])
  return JSON.parse(out) as Answer
}

async function hits(stage: Stage, text: string, ...more: string[]): Promise<JsonHit[]> {
  const { sessions } = await answer(stage, text, "--hits", "50", ...more)
  return sessions.flatMap((session) => session.hits)
}

const marked = ({ text, marks }: JsonHit) => marks.map(([from, to]) => text.slice(from, to))

test("finds what was left on another branch, and says how to go there", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "How do appends work?", "One write per batch.")
  await round(session, "Use a regular expression", "It is slower, but it works on every line of the log that we have.")
  await session.back()
  await round(session, "Use a scanner", "Twice as fast; no regular expression needed.")
  await session.close()
  stage.wait(7)
  const { out, exit } = await stage.retcon(["search", "regular expression"])
  expect(exit).toBe(0)
  expect(out).toMatchInlineSnapshot(`
    "How do appends work? · session 0869ca · 7m ago · 2 words in one message
      66c728  you       abandoned  Use a regular expression
      8eef50  agent     Twice as fast; no regular expression needed.
      Go there with: retcon goto 66c728 -s 0869ca
    "
  `)
})

test("the match is highlighted", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "Use a scanner")
  await session.close()
  const { out } = await stage.retcon("search scan", { colours: true })
  expect(out).toContain("\u001b[1m\u001b[7mscan\u001b[27m\u001b[22m")
})

test("case counts only for a text with capitals", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "Straße and ÄRGER", "RetconError")
  await session.close()
  expect(await hits(stage, "retconerror")).toHaveLength(1)
  expect(await hits(stage, "Retconerror")).toHaveLength(0)
  expect(await hits(stage, "ärger")).toHaveLength(1)
  expect(await hits(stage, "straße")).toHaveLength(1)
})

const ESCAPED = ['say "hello"', "C:\\temp\\new", "tab\there", "正则表达式", "🎉 party", "</script>", "\u2028line"]

for (const text of ESCAPED) {
  test(`finds ${JSON.stringify(text)}, however it is escaped in the log`, async () => {
    const stage = makeStage()
    const session = await stage.session()
    await round(session, `before ${text} after`, "nothing")
    await session.close()
    expect(await hits(stage, text)).toHaveLength(1)
    const file = session.log.file as string
    const ascii = readFileSync(file, "utf8").replaceAll(
      /[^\n\x20-\x7e]|[<>/]/g,
      (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
    )
    writeFileSync(file, ascii)
    expect(await hits(stage, text)).toHaveLength(1)
  })
}

test("a space matches any white space, so that a sentence is found across a line break", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one", "the quick\n  brown fox")
  await session.close()
  expect(await hits(stage, "quick brown")).toMatchObject([{ text: "the quick brown fox" }])
})

test("looks into calls, results, large results, thinking, notes, summaries, labels and titles", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "start")
  await step(session, "bash", { command: "echo needle-call" }, "needle-result")
  await step(session, "read", { path: "x" }, `${"x".repeat(40_000)} needle-blob`)
  await session.append([{ type: "checkpoint", n: 0 }, answerDraft([{ type: "reasoning", text: "needle-thinking" }])])
  await session.backtrack({ checkpoint: 0, note: "needle-note" })
  await session.label("head", "needle-label")
  await session.configure("title", "needle-title")
  await session.close()
  const found = await hits(stage, "needle-")
  expect(found.map(({ where, onPath }) => `${where} ${onPath}`).sort()).toEqual([
    "call true",
    "label true",
    "note true",
    "result true",
    "result true",
    "thinking false",
    "title true",
  ])
})

test("looks in this directory, and everywhere with --all", async () => {
  const stage = makeStage()
  const here = await stage.session()
  await round(here, "needle")
  await here.close()
  const there = await stage.session({ cwd: "/elsewhere" })
  await round(there, "needle")
  await there.close()
  expect(await hits(stage, "needle")).toHaveLength(1)
  expect(await hits(stage, "needle", "--all")).toHaveLength(2)
})

test("the best sessions come first, with where to go on, and the entry to go to is one that is listed", async () => {
  const stage = makeStage()
  for (const cwd of ["/one", "/two", "/three"]) {
    const session = await stage.session({ cwd })
    for (let i = 1; i <= 7; i++) await round(session, `needle ${i} of ${cwd}`)
    await session.close()
  }
  const { out } = await stage.retcon(["search", "--all", "needle", "--limit", "2"])
  const named = [...out.matchAll(/Go there with: retcon goto (\w+)/g)].map(([, id]) => id)
  const listed = [...out.matchAll(/^ {2}(\w+) .*needle/gm)].map(([, id]) => id)
  expect([listed.length, named.length]).toEqual([6, 2])
  expect(listed).toEqual(expect.arrayContaining(named))
  expect(out).toContain("3 sessions found, 2 shown. Next: --after 2")
  const first = await answer(stage, "needle", "--all", "--limit", "2")
  const rest = await answer(stage, "needle", "--all", "--after", "2")
  expect([first.sessions.length, first.next, first.total]).toEqual([2, "2", 3])
  expect([rest.sessions.length, rest.next]).toEqual([1, null])
  expect(new Set([...first.sessions, ...rest.sessions].map(({ session }) => session)).size).toBe(3)
})

test("entries that a split has copied are found once, and the copy is named", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "needle")
  await (await session.split()).session.close()
  await session.close()
  const { sessions } = await answer(stage, "needle")
  expect(sessions.map(({ hits: found, copies }) => [found.length, copies.length])).toEqual([[1, 1]])
  expect((await stage.retcon("search needle")).out).toContain("also in 1 copy")
})

test("a damaged line is no obstacle", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "needle")
  await session.close()
  appendFileSync(session.log.file as string, 'needle {"\0\n\xff needle')
  expect(await hits(stage, "needle")).toHaveLength(1)
})

test("of one session the best entries are shown, as many as wanted", async () => {
  const stage = makeStage()
  const session = await stage.session()
  for (let i = 0; i < 5; i++) await round(session, `needle ${i}`)
  await session.close()
  expect((await answer(stage, "needle")).sessions[0]).toMatchObject({ words: { needle: 5 }, hits: [{}, {}, {}] })
  expect(await hits(stage, "needle", "--hits", "5")).toHaveLength(5)
})

test("nothing found is no failure; no text is one", async () => {
  const stage = makeStage()
  const nothing = await stage.retcon("search needle")
  expect(nothing).toEqual({ out: "", err: 'Nothing found for "needle". Search all directories with: --all\n', exit: 0 })
  expect((await stage.retcon(["search", "  "])).exit).toBe(2)
})

test("the system prompt, the same in every session, does not hide what was said", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.append([
    { type: "state", key: "system", value: "Run the tests when there is a way to." },
    { type: "state", key: "todos", value: ["write tests"] },
  ])
  await round(session, "Are there tests?", "No.")
  await session.close()
  expect((await hits(stage, "tests")).map(({ where }) => where)).toEqual(["you", "state"])
})

test("all words must occur, and those in one message come first", async () => {
  const stage = makeStage()
  const apart = await stage.session()
  await round(apart, "The heartbeat is late", "So it is.")
  await round(apart, "Now the watermark", "Done.")
  await apart.close()
  const together = await stage.session()
  await round(together, "Why does the HEARTBEAT overwrite the WATERMARK?", "Because of the reconnect.")
  await together.close()
  const one = await stage.session()
  await round(one, "heartbeat heartbeat heartbeat")
  await one.close()
  const { sessions, how } = await answer(stage, "heartbeat watermark")
  expect([how, sessions.map(({ session }) => session)]).toEqual(["words", [together.id, apart.id]])
  expect(sessions[0]?.hits.map(marked)).toEqual([["HEARTBEAT", "WATERMARK"]])
  expect(sessions[1]?.hits.map(marked)).toEqual([["watermark"], ["heartbeat"]])
})

test("a question finds the closest sessions, and says which words nobody said", async () => {
  const stage = makeStage()
  for (const text of ["The invoice totals are rounded twice", "Rename the cart module", "Which port does it use?"]) {
    const session = await stage.session()
    await round(session, text, "Fixed.")
    await session.close()
  }
  const { sessions, how, missing } = await answer(stage, "why does the invoice total zebra round twice please?")
  expect([how, sessions[0]?.title, missing]).toEqual(["closest", "The invoice totals are rounded twice", ["zebra"]])
  const { out } = await stage.retcon(["search", "invoice", "zebra", "totals"])
  expect(out).toContain('No message has all of these words; the closest: None of these has "zebra".')
})

test("parts and endings of words count, and what is inside of one only if there is nothing else", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "rename parse_ledger_entry and LedgerView", "Tested.")
  await session.close()
  expect(await answer(stage, "ledger")).toMatchObject({ how: "words", total: 1 })
  expect(await answer(stage, "entries")).toMatchObject({ how: "words", total: 1 })
  expect(await answer(stage, "retries")).toMatchObject({ total: 0, sessions: [] })
  expect(await answer(stage, "tests")).toMatchObject({ how: "words", total: 1 })
  expect(await answer(stage, "edge")).toMatchObject({ how: "inside", total: 1 })
  expect(await answer(stage, '"edge"')).toMatchObject({ how: "words", total: 1 })
  expect(await answer(stage, "led*")).toMatchObject({ how: "words", total: 1 })
})

test("who said it, what is not wanted, alternatives and filters", async () => {
  const stage = makeStage()
  const asked = await stage.session()
  await round(asked, "needle one", "straw")
  await asked.close()
  const answered = await stage.session({ cwd: "/other" })
  await round(answered, "begin")
  await round(answered, "straw", "needle two")
  await step(answered, "read", { path: "src/cart.ts" }, "needle three")
  await answered.back()
  await round(answered, "go on", "well")
  await answered.close()
  const found = async (text: string) => (await answer(stage, text, "--all")).sessions.map(({ session }) => session)
  expect(await found("you:needle")).toEqual([asked.id])
  expect(await found("agent:needle")).toEqual([answered.id])
  expect(await found("tool:needle")).toEqual([answered.id])
  expect(await found("needle -one")).toEqual([answered.id])
  expect((await found("one OR two")).sort()).toEqual([asked.id, answered.id].sort())
  expect(await found("needle project:other")).toEqual([answered.id])
  expect(await found("needle branch:left")).toEqual([answered.id])
  expect(await found("needle since:1d from:codex")).toEqual([])
  expect(await found("file:src/cart.ts")).toEqual([answered.id])
  expect(await found(`needle session:${asked.id.slice(-6)}`)).toEqual([asked.id])
  const wrong = await stage.retcon(["search", "needle since:soon"])
  expect([wrong.exit, wrong.err]).toEqual([1, expect.stringContaining('"since:soon" is not a time.')])
})
