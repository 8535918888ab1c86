import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { answerDraft } from "../../src/session/state/draft.ts"
import { makeStage, round, type Stage, step } from "./stage.ts"

interface JsonHit {
  entry: string | null
  where: string
  onPath: boolean
  before: string
  match: string
  after: string
}

async function hits(stage: Stage, text: string, ...more: string[]): Promise<JsonHit[]> {
  const { out } = await stage.retcon(["search", text, "--json", ...more])
  return JSON.parse(out) as JsonHit[]
}

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
    "How do appends work? · session 0869ca · 7m ago
      66c728    7m  you       abandoned  Use a regular expression
      8eef50    7m  agent     Twice as fast; no regular expression needed.
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
  expect(await hits(stage, "quick brown")).toMatchObject([{ match: "quick\n  brown", after: " fox" }])
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
  expect(found.map(({ where, onPath }) => [where, onPath])).toEqual([
    ["call", true],
    ["result", true],
    ["result", true],
    ["thinking", false],
    ["note", true],
    ["label", true],
    ["title", true],
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

test("the entry to go to is one of those that are listed, however few", async () => {
  const stage = makeStage()
  for (const cwd of ["/one", "/two"]) {
    const session = await stage.session({ cwd })
    for (let i = 1; i <= 7; i++) await round(session, `needle ${i} of ${cwd}`)
    await session.close()
  }
  for (const [limit, most] of [
    ["2", 2],
    ["3", 3],
    ["7", 7],
    ["50", 10],
  ] as const) {
    const { out } = await stage.retcon(["search", "--all", "needle", "--limit", limit])
    const named = [...out.matchAll(/Go there with: retcon goto (\w+)/g)].map(([, id]) => id)
    const listed = [...out.matchAll(/^ {2}(\w+) .*needle/gm)].map(([, id]) => id)
    expect(listed).toHaveLength(most)
    expect(named).toHaveLength(Math.ceil(listed.length / 5))
    expect(listed).toEqual(expect.arrayContaining(named))
  }
})

test("entries that a split has copied are found once", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "needle")
  await (await session.split()).session.close()
  await session.close()
  expect(await hits(stage, "needle")).toHaveLength(1)
})

test("a damaged line is no obstacle", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "needle")
  await session.close()
  appendFileSync(session.log.file as string, 'needle {"\0\n\xff needle')
  expect(await hits(stage, "needle")).toHaveLength(1)
})

test("--limit says that there is more", async () => {
  const stage = makeStage()
  const session = await stage.session()
  for (let i = 0; i < 5; i++) await round(session, `needle ${i}`)
  await session.close()
  const { out } = await stage.retcon("search needle --limit 2")
  expect(out.match(/needle/g)).toHaveLength(3)
  expect(out).toContain("There are more. See them with a larger --limit (now 2 hits).")
  expect(await hits(stage, "needle", "--limit", "2")).toHaveLength(2)
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
  expect((await hits(stage, "tests")).map(({ where }) => where)).toEqual(["state", "you"])
})
