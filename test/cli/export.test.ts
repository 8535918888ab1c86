import { appendFileSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { eventful, makeStage, round, step } from "./stage.ts"

test("Markdown is a transcript of the path", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.configure("title", "A `small` session")
  await round(session, "Look\naround", "I will.\n\n- here\n- there")
  await step(session, "bash", { command: "echo `date`" }, "today")
  await round(session, "left")
  await session.back()
  await session.close()
  const { out } = await stage.retcon("export")
  expect(out).toMatchInlineSnapshot(`
    "# A \`small\` session

    ## 1. You

    Look
    around

    ## Agent

    I will.

    - here
    - there

    - \`\` bash echo \`date\` \`\` → today

    "
  `)
})

test("Markdown names what it cannot show", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await session.append([
    { type: "message", role: "user", origin: "prompt", content: [{ type: "unknown", raw: { type: "au_dio" } }] },
    { type: "message", role: "tool", origin: "tool", content: [{ type: "tool-result", call: "c", output: "alone" }] },
    { type: "message", role: "assistant", origin: "agent", content: [{ type: "unknown", raw: { value: 4 } }] },
  ])
  await session.close()
  const { out } = await stage.retcon("export")
  expect(out).toContain("*(an unknown part: au\\_dio)*")
  expect(out).toContain("*(an unknown part: it has no type)*")
  expect(out).toContain("- a result whose call is missing → alone")
})

test("JSON has every record of every branch, large parts filled in, and what cannot be read", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  const large = "y".repeat(50_000)
  await step(session, "read", { path: "big" }, large)
  const { id, head } = session
  await session.close()
  appendFileSync(session.log.file as string, "not a record\n")
  const document = JSON.parse((await stage.retcon("export --to json")).out)
  expect(document).toMatchObject({ format: "retcon-export", version: 1, session: { id, cwd: stage.cwd }, head })
  expect(document.tips).toHaveLength(3)
  const labelled = document.entries.find((each: object) => JSON.stringify(each).includes("Twice as fast."))
  expect(document.labels).toEqual([{ entry: labelled.id, name: "scanner" }])
  expect(document.operations.map((each: { kind: string }) => each.kind)).toEqual(["backtrack", "back", "compact"])
  expect(JSON.stringify(document.entries.at(-1))).toContain(large)
  expect(document.damaged).toEqual([
    { line: session.history.size + 1, problem: expect.any(String), raw: "not a record" },
  ])
})

test("-o writes a file that only its owner can read, and never over another", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await session.close()
  const file = join(stage.home, "out.md")
  const first = await stage.retcon(["export", "-o", file])
  expect(first).toEqual({ out: "", err: `Wrote ${file}\n`, exit: 0 })
  expect(readFileSync(file, "utf8")).toBe((await stage.retcon("export")).out)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = await stage.retcon(["export", "-o", file])
  expect(second.exit).toBe(1)
  expect(second.err).toContain("already exists")
})

test("a long session is one JSON document, on the screen and in a file", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const texts = Array.from({ length: 40 }, (_, n) => `${n} ${"long ".repeat(2000)}`)
  for (const text of texts) await round(session, text)
  await session.close()
  const file = join(stage.home, "long.json")
  const { out } = await stage.retcon("export --to json")
  await stage.retcon(`export --to json --output ${file}`)
  expect(readFileSync(file, "utf8")).toBe(out)
  const { entries } = JSON.parse(out) as { entries: { role: string; content: { text: string }[] }[] }
  const said = entries.filter(({ role }) => role === "user").map(({ content }) => content[0]?.text)
  expect(said).toEqual(texts)
  const listed = JSON.parse((await stage.retcon("ls --json")).out) as object[]
  expect(listed).toHaveLength(1)
})

test("JSON has a line of any length that cannot be read, in pieces, and says which secrets it holds", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "hello")
  const { file = "" } = session.log
  await session.close()
  // A character and a secret lie across the end of a piece.
  const secret = `sk-ant-api03-${"aB3".repeat(30)}-AA`
  const damaged = `{"not JSON: ${"é".repeat(524_281)}漢 ${"x".repeat(1024 * 1024 - 60)} ${secret} \u0000\u2028`
  appendFileSync(file, `${damaged}\n`)
  const { out, err } = await stage.retcon("export --to json")
  const exported = JSON.parse(out) as { damaged: { raw: string }[] }
  expect(exported.damaged).toHaveLength(1)
  expect(exported.damaged[0]?.raw === damaged).toBe(true)
  expect(err).toContain("JSON is not redacted, and this export contains:")
})
