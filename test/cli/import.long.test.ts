import { copyFileSync, cpSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseSessionId, shortId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/record.ts"
import { openSession } from "../../src/session/session.ts"
import { Bench, type Ran } from "./bench.ts"

const fixtures = join(import.meta.dirname, "../formats/plain/fixtures")

async function imported(bench: Bench, ran: Ran) {
  const { store, sessionOptions } = bench.cli()
  const id = parseSessionId((ran.json() as { session: string }).session)
  if (id === undefined) throw new Error(ran.out)
  return openSession(store, id, sessionOptions)
}

test("an imported conversation is a session whose user messages are prompts", async () => {
  const bench = new Bench()
  const { out } = await bench.run(["import", join(fixtures, "openai.json"), "--title", "cats"])
  expect(out).toMatch(
    /^Imported 9 messages \(2 prompts\) as session [0-9a-f]{6}\.\nKept but not recognised.*: message 2 \(image_url\)\.\nSee it with: retcon show -s [0-9a-f]{6}\n$/,
  )
  expect((await bench.run(["title"])).out).toBe("cats\n")
  const back = (await bench.run(["back", "--json"])).json()
  expect(back).toMatchObject({ left: 2, prompt: { text: "Thanks!" } })
})

test("the model would get what it got before: system first, every call with its result", async () => {
  const bench = new Bench()
  const ran = await bench.run(["import", join(fixtures, "anthropic.json"), "--json"])
  expect(ran.json()).toMatchObject({ messages: 8, prompts: 3 })
  const session = await imported(bench, ran)
  const context = session.context()
  expect(context[0]).toEqual({ role: "system", content: [{ type: "text", text: "You are a careful engineer." }] })
  expect(context.map(({ role }) => role).join(" ")).toBe(
    "system user assistant tool assistant user assistant tool user",
  )
  expect(JSON.stringify(context)).not.toContain("interrupted")
  await session.close()
})

test("what a context prints can be imported again, and is the same context", async () => {
  const bench = new Bench()
  const first = await imported(bench, await bench.run(["import", join(fixtures, "anthropic.json"), "--json"]))
  const context = first.context()
  await first.close()
  const again = await bench.run(["import", "-", "--json"], { input: JSON.stringify(context) })
  const second = await imported(bench, again)
  expect(second.context()).toEqual(context)
  await second.close()
})

test("- reads standard input", async () => {
  const bench = new Bench()
  const ran = await bench.run(["import", "-", "--json"], { input: '{"role":"user","content":"from a pipe"}' })
  const session = await imported(bench, ran)
  expect(plainText(session.context()[0]?.content ?? [])).toBe("from a pipe")
  await session.close()
})

test("@1 after an import keeps the system prompt", async () => {
  const bench = new Bench()
  await bench.run(["import", join(fixtures, "openai.json")])
  const { out } = await bench.run(["goto", "@1"])
  expect(out).toMatch(/Now at [0-9a-f]{6}, before the first message\./)
})

test("what cannot be imported leaves no session behind", async () => {
  const bench = new Bench()
  mkdirSync(join(bench.cwd, "folder"))
  const source = await bench.session(1)
  bench.file("image.png", new Uint8Array([0x89, 0x50, 0, 1]))
  bench.file("empty.json", "")
  const cases: [string, string, string][] = [
    ["folder", "invalid", "folder cannot be imported: it is a folder."],
    ["image.png", "invalid", "image.png cannot be imported: it is not text."],
    ["empty.json", "invalid", "empty.json cannot be imported: it is empty."],
    [
      "/dev/zero",
      "invalid",
      "/dev/zero cannot be imported: it is not a regular file; pipe it in and use - as the name.",
    ],
    ["", "usage", "There is no file to import."],
    ["missing.json", "not-found", 'There is no file "missing.json".'],
    ["-", "invalid", "The input cannot be imported: it is empty."],
  ]
  for (const [file, code, message] of cases) {
    expect((await bench.run(["import", file, "--json"])).error()).toMatchObject({ code, message })
  }
  const own = (await bench.run(["import", source.log.file ?? "", "--json"])).error()
  expect(own.message).toContain("it is a session of retcon already")
  expect(await bench.cli().store.list()).toHaveLength(1)
  expect(readFileSync(source.log.file ?? "", "utf8").split("\n")).toHaveLength(4)
})

test("importing twice makes two sessions", async () => {
  const bench = new Bench()
  const file = bench.file("chat.json", '[{"role":"user","content":"hi"}]')
  const [one, two] = [await bench.run(["import", file, "--json"]), await bench.run(["import", file, "--json"])]
  expect(one.json()).not.toEqual(two.json())
  expect(shortId((one.json() as { session: string }).session)).toHaveLength(6)
})

test("what is not understood is reported", async () => {
  const bench = new Bench()
  const parts = Array.from({ length: 7 }, () => ({ type: "au\u0007dio" }))
  const { out } = await bench.run(["import", "-"], { input: JSON.stringify([{ role: "user", content: parts }]) })
  expect(out).toMatch(
    /\nKept but not recognised, so no model will see it: (message 1 \(au.?dio\), ){4}.* and 2 more\.\n/,
  )
  expect(out).not.toContain("\u0007")
})

test("a very long conversation is imported at once", async () => {
  const bench = new Bench()
  const input = `{"role":"user","content":"a"}\n{"role":"assistant","content":"b"}\n`.repeat(75_000)
  const ran = await bench.run(["import", "-", "--json"], { input })
  expect(ran.json()).toMatchObject({ messages: 150_000, prompts: 75_000 })
  expect((await bench.run(["log", "--limit", "1"])).out).toContain("more entries")
})

test("a title is checked before anything is imported, and an empty one is none", async () => {
  const bench = new Bench()
  const file = bench.file("chat.json", '[{"role":"user","content":"one"}]')
  const long = await bench.run(["import", file, "--title", "x".repeat(201)])
  expect([long.exit, long.err]).toEqual([1, expect.stringContaining("A title has at most 200 characters.")])
  expect((await bench.run(["ls", "--json"])).json()).toEqual([])
  await bench.run(["import", file, "--title", ""])
  expect((await bench.run(["title"])).out).toBe("one\n")
  await bench.run(["import", file, "--title", "two\nlines"])
  expect((await bench.run(["ls", "--json"])).json()).toMatchObject([{ title: "two lines" }, { title: "one" }])
})

test("messages that name their parents become branches, and the last one becomes the head", async () => {
  const bench = new Bench()
  const lines = [
    { uuid: "a", parentUuid: null, role: "user", content: "first" },
    { uuid: "b", parentUuid: "a", role: "assistant", content: "one way" },
    { uuid: "c", parentUuid: "a", role: "assistant", content: "another way" },
    { uuid: "d", parentUuid: "c", role: "user", content: "go on" },
  ]
  const input = lines.map((line) => JSON.stringify(line)).join("\n")
  const ran = await bench.run(["import", "-", "--json"], { input })
  expect(ran.json()).toMatchObject({ messages: 4, prompts: 2, branches: 2 })
  const session = await imported(bench, ran)
  expect(session.context().map(({ content }) => plainText(content))).toEqual(["first", "another way", "go on"])
  await session.close()
})

test.each([
  ["a parent that is not there", { uuid: "b", parentUuid: "x", role: "user", content: "?" }, 'continues "x"'],
  ["no id of its own", { parentUuid: "a", role: "user", content: "?" }, 'has no "uuid"'],
  ["an id used twice", { uuid: "a", parentUuid: "a", role: "user", content: "?" }, 'uuid "a" is that of an earlier'],
])("an inconsistent tree is refused with its line: %s", async (_, second, words) => {
  const bench = new Bench()
  const first = { uuid: "a", parentUuid: null, role: "user", content: "first" }
  const input = [first, second].map((line) => JSON.stringify(line)).join("\n")
  const ran = await bench.run(["import", "-"], { input })
  expect(ran.exit).toBe(1)
  expect(ran.err).toContain("line 2: ")
  expect(ran.err).toContain(words)
  expect((await bench.run(["ls", "--json"])).json()).toEqual([])
})

test("another agent's session is not imported: the error says how to read it where it is", async () => {
  const bench = new Bench()
  const samples = join(import.meta.dirname, "../formats")
  cpSync(join(samples, "kimi-cli/samples/reverted-and-compacted"), join(bench.cwd, "kimi"), { recursive: true })
  copyFileSync(join(samples, "claude-code/samples/plain-3turns.v325.jsonl"), join(bench.cwd, "claude file"))
  for (const [file, agent, named] of [
    ["kimi/context.jsonl", "Kimi CLI", "kimi/context.jsonl"],
    ["claude file", "Claude Code", "'./claude file'"],
    ["./kimi", "Kimi CLI", "./kimi"],
  ] as const) {
    const { exit, err } = await bench.run(["import", file])
    expect([exit, err]).toEqual([
      1,
      `retcon: ${file} cannot be imported: it is a session of ${agent}, which retcon reads where it is.\n` +
        `  See it with: retcon show -s ${named}, or continue in a copy with: retcon -r ${named}\n`,
    ])
    expect((await bench.run(["show", "-s", named.replaceAll("'", "")])).exit).toBe(0)
  }
})
