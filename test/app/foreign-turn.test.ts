// A conversation that goes on in a session of Claude Code: its own program adds to its own file.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { plainText } from "../../src/model/record/record.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { CLAUDE_ANSWERS, CLAUDE_RECORDS, WAITS_FOR_A_STOP } from "../programs/fake-claude.ts"
import { claudeHost } from "./claude-host.ts"
import { until } from "./talk.ts"

test("a prompt goes to Claude Code, its answer streams, and its file holds both", async () => {
  const { session, events, file } = await claudeSession(`${CLAUDE_ANSWERS}; answer("I heard " + prompt); end()`)
  expect([session.access, session.status().model]).toEqual([{ can: "all" }, "Claude Code"])
  expect(await session.send({ text: "u4 fourth" })).toMatchObject({ outcome: "done" })
  const told = events.map(({ type }) => type).filter((type) => !["status", "changed", "appended"].includes(type))
  expect(told).toEqual(["turn-start", "step-start", "text-delta", "text-end", "step-end", "turn-end"])
  expect((await said(session)).slice(-2)).toEqual(["u4 fourth", "I heard u4 fourth"])
  expect(readFileSync(file, "utf8")).toContain("I heard u4 fourth")
})

test("what the file had before the program said it is marked, so that nobody shows it twice", async () => {
  const body = `process.env.STORES_FIRST = "1"; ${CLAUDE_ANSWERS}; answer("I heard " + prompt); end()`
  const { session, events } = await claudeSession(body)
  let live: unknown
  session.on(({ event }) => {
    if (event.type === "text-delta") live = session.live()
  })
  await session.send({ text: "u4 fourth" })
  expect(events.find(({ type }) => type === "text-delta")).toEqual({
    type: "text-delta",
    text: "I heard u4 fourth",
    recorded: true,
  })
  expect(live).toMatchObject({ text: "" })
})

test("after going back, the next prompt continues from there", async () => {
  const { session } = await claudeSession(`${CLAUDE_ANSWERS}; answer("I heard " + prompt); end()`)
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "u3 third" } })
  await session.send({ text: "another third" })
  expect(await said(session)).toEqual([
    "u1 first",
    expect.any(String),
    "u2 second",
    expect.any(String),
    "another third",
    "I heard another third",
  ])
})

test("going back does not wait for the model: the prompt is known as soon as it is in the file", async () => {
  const { session } = await claudeSession(`${CLAUDE_RECORDS}; ${WAITS_FOR_A_STOP}`)
  const sent = session.send({ text: "u4 fourth" })
  await until(session, ({ type }) => type === "turn-start")
  const went = await session.back()
  expect(went).toMatchObject({ outcome: "moved", prompt: { text: "u4 fourth" } })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect((await said(session)).at(-2)).toBe("u3 third")
})

test("going back brings the files along, without any hook: those of an edit that nobody asked about, and of a command", async () => {
  const body = `${CLAUDE_RECORDS}
    const use = (id, name, input) => { calling(id, name, input); call(id, name, input) }
    if (prompt === "edit") {
      use("c1", "Write", { file_path: process.cwd() + "/a.txt", content: "two" })
      fs.writeFileSync("a.txt", "two")
      done("c1")
    } else {
      use("c2", "Bash", { command: "make b" })
      const { behavior } = await ask("Bash", { command: "make b" }, { tool_use_id: "c2" })
      fs.writeFileSync("b.txt", behavior)
      done("c2")
    }
    answer("done"); end()`
  const { session, events, root } = await claudeSession(body)
  writeFileSync(join(root, "a.txt"), "one")
  await session.send({ text: "edit" })
  session.on(({ event }) => {
    if (event.type !== "approval-start") return
    // While they think, the person changes a file of their own.
    writeFileSync(join(root, "own.txt"), "mine")
    void session.answer(event.approval, { answer: "once" })
  })
  await session.send({ text: "command" })
  expect(events.filter(({ type }) => type === "notice")).toEqual([])
  const files = () => ["a.txt", "b.txt", "own.txt"].map((name) => textIn(join(root, name)))
  expect(files()).toEqual(["two", "allow", "mine"])
  expect((await session.rounds({ limit: 2 })).map((round) => round.files.map(({ path }) => path))).toEqual([
    ["a.txt"],
    ["b.txt"],
  ])
  expect(await session.back({ files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(files()).toEqual(["two", undefined, "mine"])
  expect(await session.back({ files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(files()).toEqual(["one", undefined, "mine"])
  expect(await session.undo()).toMatchObject({ outcome: "moved" })
  expect(files()).toEqual(["two", undefined, "mine"])
})

test("a new session of Claude Code begins with its first prompt, and goes on as any other", async () => {
  const { host, root } = claudeHost(`${CLAUDE_RECORDS}; answer("I heard " + prompt); end()`)
  const prompt = { text: "first of all" }
  const session = await host.create({ cwd: root, agent: "claude-code", prompt })
  onTestFinished(async () => void (await session.close()))
  const events: string[] = []
  session.on(({ event }) => void events.push(event.type))
  expect(await session.send(prompt)).toMatchObject({ outcome: "done" })
  expect(events).toContain("turn-start")
  expect([session.agent, await said(session)]).toEqual(["claude-code", ["first of all", "I heard first of all"]])
  await session.send({ text: "second" })
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "second" } })
  expect(await said(session)).toEqual(["first of all", "I heard first of all"])
})

test("a program that cannot begin a session says why, and leaves none", async () => {
  const { host, root } = claudeHost("process.exit(3)")
  const begun = host.create({ cwd: root, agent: "claude-code", prompt: { text: "go" } })
  await expect(begun).rejects.toThrow("Claude Code ended with exit code 3.")
  await expect(host.create({ cwd: root, agent: "nobody" })).rejects.toThrow("retcon cannot start")
})

test("what it was denied is shown, and what the person allows goes with the next turn", async () => {
  const body = `${CLAUDE_ANSWERS}; answer(JSON.stringify(settings))
    end({ permission_denials: [{ tool_use_id: "c1", tool_name: "Bash", tool_input: { command: "touch x" } }] })`
  const { session, events } = await claudeSession(body)
  await session.send({ text: "make x" })
  const denied = events.find(({ type }) => type === "denied")
  const calls = [{ call: "c1", name: "Bash", title: "touch x", rule: "Bash(touch x)" }]
  expect(denied).toEqual({ type: "denied", calls })
  await session.allow("Bash(touch x)")
  expect((await session.permissions()).allow).toMatchObject([{ rule: "Bash(touch x)", from: "session" }])
  await session.send({ text: "again" })
  expect((await said(session)).at(-1)).toBe('{"permissions":{"allow":["Bash(touch x)"]}}')
  expect(await session.revoke("Bash(touch x)")).toBe(true)
  expect((await session.permissions()).allow).toEqual([])
})

test("a stop ends its program; what it had written stays", async () => {
  const { session } = await claudeSession(`${CLAUDE_ANSWERS}; answer("working"); setInterval(() => {}, 1000)`)
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "text-end")
  expect(await session.stop()).toEqual({ stopped: true })
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect((await said(session)).slice(-2)).toEqual(["go", "working"])
})

test("a program that fails says why, and nothing is lost", async () => {
  const { session } = await claudeSession(`process.stderr.write("Please run /login"); process.exit(1)`)
  const before = await said(session)
  expect(await session.send({ text: "go" })).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("Run claude in a terminal and log in there"),
  })
  expect(await said(session)).toEqual(before)
})

test("where the folder of the session is gone, it is that which is missing, and not the program", async () => {
  const { session, root } = await claudeSession(`${CLAUDE_ANSWERS}; end()`)
  rmSync(root, { recursive: true })
  expect(await session.send({ text: "go" })).toMatchObject({
    outcome: "failed",
    message: `The folder of this session is gone: ${root}`,
  })
})

test("where it is not installed the session says so, and can still be moved in", async () => {
  const host = claudeHost(undefined)
  const session = await host.host.open(await host.listed())
  expect(session.access).toMatchObject({ can: "move", because: "Claude Code is not installed here." })
  expect(session.work).toBeUndefined()
  expect(() => workIn(session)).toThrow(expect.objectContaining({ code: "read-only" }))
  expect(await session.back({ dryRun: true, evenIfRunning: true })).toMatchObject({ outcome: "planned" })
  await session.close()
})

async function claudeSession(body: string) {
  const host = claudeHost(body)
  return { ...(await host.open(await host.listed())), root: host.root, file: host.file }
}

function textIn(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined
}

async function said(session: WorkSession): Promise<string[]> {
  const messages = await session.context()
  return messages.flatMap(({ role, content }) => (role === "system" ? [] : [plainText(content)]))
}
