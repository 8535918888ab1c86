// Another agent's session in the terminal: listed and previewed, continued in a copy, or resumed in its own program.
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test, vi } from "vitest"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { SessionId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/record.ts"
import { openToWork } from "../../src/protocol/open-to-work.ts"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { testStore } from "../any-store.ts"
import { CLAUDE_NAME, putClaudeSession } from "../cli/claude-session.ts"
import { PI_NAME, putPiSession } from "../cli/pi-session.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"
import { makeStage, plainTalk } from "./stage.ts"

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** What pi writes when a person goes on in it. */
const PI_LINES = [
  {
    type: "message",
    id: "0badcafe",
    parentId: "591d45f8",
    timestamp: "2026-11-15T22:00:00.000Z",
    message: { role: "user", content: [{ type: "text", text: "u4 said in pi itself" }], timestamp: 1794780000000 },
  },
]

/** A host in a folder in which only pi has a session. */
function hostWithPi(changes: Partial<HostDeps> = {}): TestHost & { store: AnyStore; file: string; bytes: Buffer } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-others-")))
  folders.push(folder)
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const host = makeTestHost({ ...changes, store })
  const file = putPiSession({ folder, cwd: host.root })
  return { ...host, store, file, bytes: readFileSync(file) }
}

async function ours({ host }: TestHost) {
  return (await host.list()).sessions.filter(({ agent }) => agent === "retcon")
}

describe("the list of sessions", () => {
  test("-c asks where only another agent has sessions; a prompt continues it in a copy", async () => {
    const host = hostWithPi()
    const stage = await makeStage({
      with: host,
      columns: 120,
      parts: { start: { kind: "continue" } },
      first: /u1 hello/,
    })
    expect(stage.text()).toMatch(/pi u1 hello/)
    stage.press("enter")
    await stage.sees("This is a session of pi.")
    await stage.sees("u3b new branch")
    expect(await ours(host)).toEqual([])
    stage.enter("say going on")
    await stage.sees("This is a copy; the session of pi stays as it is.")
    await stage.idle(4)
    expect(await ours(host)).toMatchObject([{ prompts: 4, cwd: host.root, from: { as: "split" } }])
    expect(readFileSync(host.file)).toEqual(host.bytes)
  })

  test("Enter continues it in its own program, on this terminal, and what was said there is shown", async () => {
    const host = hostWithPi()
    const ran: unknown[] = []
    const runThere = async (command: readonly string[], cwd: string) => {
      ran.push([command, cwd])
      appendFileSync(host.file, `${PI_LINES.map((line) => JSON.stringify(line)).join("\n")}\n`)
    }
    const stage = await makeStage({
      with: host,
      columns: 120,
      parts: { start: { kind: "resume" }, runThere },
      first: /u1 hello/,
    })
    stage.press("enter")
    await stage.sees("Enter continues it in pi.")
    stage.press("enter")
    await stage.sees("u4 said in pi itself")
    expect(ran).toEqual([[["pi", "--session", PI_NAME], host.root]])
    expect(await ours(host)).toEqual([])
  })

  test("what is said there while it is viewed is followed, and reported", async () => {
    const host = hostWithPi()
    const stage = await makeStage({ with: host, columns: 120, parts: { start: { kind: "resume" } }, first: /u1 hello/ })
    stage.press("enter")
    await stage.sees("Enter continues it in pi.")
    const [listed] = (await host.host.list({ agents: "all" })).sessions
    const { session } = await host.view(listed?.id as SessionId)
    appendFileSync(host.file, `${PI_LINES.map((line) => JSON.stringify(line)).join("\n")}\n`)
    await stage.sees("A prompt was sent in pi: “u4 said in pi itself”.")
    expect((await session.rounds()).at(-1)?.text).toBe("u4 said in pi itself")
  })

  test("/resume lists them with ours; leaving the list changes nothing", async () => {
    const host = hostWithPi()
    const stage = await makeStage({ with: host, columns: 120 })
    stage.enter("say mine")
    await stage.idle(1)
    stage.enter("/resume")
    await stage.sees(/pi u1 hello/)
    expect(stage.text()).toContain("say mine")
    stage.press("escape")
    await stage.idle(1)
    expect(await ours(host)).toHaveLength(1)
  })
})

test("-r ID of another agent's session shows it, and leaves nothing behind", async () => {
  const host = hostWithPi()
  const [listed] = (await host.host.list({ agents: "all" })).sessions
  const start = { kind: "resume" as const, ...(listed && { id: listed.id }) }
  const stage = await makeStage({ with: host, columns: 120, parts: { start } })
  await stage.sees("A prompt continues it here, in a copy.")
  stage.enter("/title looked at")
  await stage.sees("looked at")
  expect(await ours(host)).toEqual([])
  stage.enter("/quit")
  await stage.ended
  await stage.sees(`Continue in pi with: pi --session ${PI_NAME}`)
  expect(readFileSync(host.file)).toEqual(host.bytes)
})

test("as lines: -c lists them with what resumes each, /resume ID continues in a copy", async () => {
  const host = hostWithPi()
  const said = await plainTalk(
    host,
    [
      ["/resume ID", "/resume 553265"],
      ["A prompt continues it here, in a copy.", "say going on"],
      ["going on", "/quit"],
    ],
    { kind: "continue" },
  )
  expect(said).toMatch(
    /Other agents have sessions here:\n553265 \(pi\): u1 hello, .*\n {2}Resume it in pi with: pi --session/,
  )
  expect((await ours(host)).some(({ prompts }) => prompts === 4)).toBe(true)
  expect(readFileSync(host.file)).toEqual(host.bytes)
})

test("one that its agent no longer has is continued from our copy of it", async () => {
  const host = hostWithPi()
  await host.store.foreign.keep({})
  rmSync(host.file)
  const said = await plainTalk(
    host,
    [
      ["/resume ID", "/resume 553265"],
      ["A prompt continues it here, in a copy.", "/quit"],
    ],
    { kind: "continue" },
  )
  expect(said).toMatch(
    /It is gone from pi since .*\. Bring it back with: retcon keep --restore 553265 \(in a shell\)\n/,
  )
  expect(said).toContain("Last prompt: u3b new branch.")
  expect((await ours(host)).filter(({ from }) => from?.as === "split")).toEqual([])
})

test("what was typed and not sent is there again, and no copy was needed", async () => {
  const host = hostWithPi()
  const [listed] = (await host.host.list({ agents: "all" })).sessions
  const { session } = await host.view(listed?.id as SessionId)
  await session.close({ text: "half a thought" })
  expect(await ours(host)).toEqual([])
  const again = await host.view(listed?.id as SessionId)
  expect(again.session.takeDraft()).toEqual({ text: "half a thought" })
  await again.session.close()
})

test("the copy works with the system prompt of retcon, not with that of the other agent", async () => {
  const host = hostWithPi()
  const [listed] = (await host.host.list({ agents: "all" })).sessions
  const { session: copy } = await openToWork(host.host, listed?.id as SessionId, host.root)
  await copy.send({ text: "say hello" })
  const system = (await copy.context()).filter(({ role }) => role === "system")
  expect(system.map(({ content }) => plainText(content))).toEqual(["You are a careful engineer."])
  await copy.close()
})

test("a host opens it to view: the tree, labels and titles; nothing can be sent to it", async () => {
  const model = practiceModel()
  const asked = vi.spyOn(model, "step")
  const host = hostWithPi({ model: async () => model })
  const [listed] = (await host.host.list({ agents: "all" })).sessions
  const { session } = await host.view(listed?.id as SessionId)
  expect(session.agent).toBe("pi")
  expect((await session.rounds()).map(({ text }) => text)).toEqual([
    "u1 hello",
    "u2 TOOLWRITE please",
    "u3b new branch",
  ])
  await session.label("head", "here")
  await session.title("looked at")
  expect(session.work).toBeUndefined()
  expect(session.access).toMatchObject({ failure: { code: "read-only", because: "foreign" } })
  expect(asked).not.toHaveBeenCalled()
  expect(readFileSync(host.file)).toEqual(host.bytes)
})

describe("moves in a session of Claude Code", () => {
  function hostWithClaude() {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-others-")))
    folders.push(folder)
    const host = makeTestHost({ store: testStore(join(folder, "home"), join(folder, "person"), () => Date.now()) })
    return { ...host, ...putClaudeSession({ folder, cwd: host.root }) }
  }

  test("on the screen: /back and /undo write what Claude Code follows, and the view follows them", async () => {
    const host = hostWithClaude()
    const [listed] = (await host.host.list({ agents: "all" })).sessions
    const start = { kind: "resume" as const, ...(listed && { id: listed.id }) }
    const stage = await makeStage({ with: host, columns: 120, parts: { start } })
    await stage.sees("This is a session of Claude Code.")
    const before = readFileSync(host.file, "utf8")
    stage.enter("/back")
    await stage.sees("Went back one round")
    const moved = readFileSync(host.file, "utf8")
    expect(moved.startsWith(before)).toBe(true)
    expect(JSON.parse(moved.slice(before.length))).toMatchObject({ type: "last-prompt", explicit: true })
    await stage.sees("u3 third")
    stage.press("ctrl+c")
    stage.enter("/undo")
    await stage.sees("Undone: going back")
    expect((await (await host.view(listed?.id as SessionId)).session.rounds()).map(({ text }) => text)).toContain(
      "u3 third",
    )
    expect(await ours(host)).toEqual([])
  })

  test("if nothing shows whether it is open there, the person is asked first", async () => {
    const host = hostWithClaude()
    rmSync(host.registry, { recursive: true })
    const [listed] = (await host.host.list({ agents: "all" })).sessions
    const start = { kind: "resume" as const, ...(listed && { id: listed.id }) }
    const before = readFileSync(host.file)
    const stage = await makeStage({ with: host, columns: 120, parts: { start } })
    await stage.sees("This is a session of Claude Code.")
    stage.enter("/back")
    await stage.sees("Have you closed it there?")
    stage.press("escape")
    await stage.sees("Close it there first")
    expect(readFileSync(host.file)).toEqual(before)
    stage.enter("/back")
    await stage.sees("Have you closed it there?")
    stage.type("y")
    await stage.sees("Went back one round")
    expect(readFileSync(host.file).length).toBeGreaterThan(before.length)
  })

  test("as lines: the same question, and the same move", async () => {
    const host = hostWithClaude()
    rmSync(host.registry, { recursive: true })
    const before = readFileSync(host.file)
    const said = await plainTalk(
      host,
      [
        ["/resume ID", `/resume ${CLAUDE_NAME.slice(-6)}`],
        ["A prompt continues it here, in a copy.", "/back"],
        ["Have you closed it there? y/N", "y"],
        ["u3 third", "/quit"],
      ],
      { kind: "continue" },
    )
    expect(said).toContain("Continue in Claude Code with: claude --resume")
    expect(readFileSync(host.file).length).toBeGreaterThan(before.length)
  })
})
