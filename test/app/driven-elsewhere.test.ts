// Another agent's own program, driven by one front end, while another front end works in the same session.
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { plainText } from "../../src/model/record/record.ts"
import { ACP_LAUNCHES } from "../../src/programs/acp/launch.ts"
import { claudeProgram } from "../../src/programs/claude-code/program.ts"
import type { HostSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { openSession } from "../../src/session/session.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession } from "../cli/claude-session.ts"
import { putPiSession } from "../cli/pi-session.ts"
import { temporaryFolder } from "../formats/read-session.ts"
import { FAKE_LAUNCH, fakeAcp } from "../programs/fake-acp.ts"
import { CLAUDE_RECORDS, fakeClaude, WAITS_FOR_A_STOP } from "../programs/fake-claude.ts"
import { makeTestHost } from "../test-host.ts"
import { until } from "./talk.ts"

const BUSY = { failure: { code: "session-busy", pid: process.pid } }

test("one program at a time: while it works, a prompt and a move of another front end are refused, and say who works", async () => {
  const { one, other, file } = await pi()
  const before = readFileSync(file, "utf8")
  const sent = one.send({ text: "record" })
  await until(one, ({ type }) => type === "turn-start")
  await expect(other.send({ text: "record" })).rejects.toMatchObject({
    ...BUSY,
    message: `Process ${process.pid} is running a turn in this session.`,
  })
  expect(await other.back({ evenIfRunning: true })).toMatchObject({ outcome: "refused", ...BUSY })
  expect(await other.restore("@1")).toMatchObject({ outcome: "refused", ...BUSY })
  await one.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(readFileSync(file, "utf8").slice(before.length).trimEnd().split("\n")).toHaveLength(1)
  // It is nobody's now.
  expect(await other.send({ text: "say hello" })).toMatchObject({ outcome: "done" })
  expect(await one.back({ evenIfRunning: true })).toMatchObject({ outcome: "moved" })
})

test("a program that waits for its next prompt is no obstacle: it is ended for whoever moves, and the next prompt goes on from there", async () => {
  const { one, log, pids } = await claude()
  await one.send({ text: "u4 fourth" })
  expect(pids()).toHaveLength(1)
  const shell = await log()
  expect(await shell.back()).toMatchObject({ outcome: "moved", prompt: { text: "u4 fourth" } })
  expect(pids()).toEqual([])
  await shell.close()
  expect(await one.send({ text: "another fourth" })).toMatchObject({ outcome: "done" })
  expect((await said(one)).slice(-3)).toEqual([expect.any(String), "another fourth", "I heard another fourth"])
})

test("nor for a prompt of another front end: there is one program afterwards, that of the last prompt", async () => {
  const { one, other, pids } = await claude()
  await one.send({ text: "u4 fourth" })
  const first = pids()
  expect(await other.send({ text: "u5 fifth" })).toMatchObject({ outcome: "done" })
  expect(pids()).toHaveLength(1)
  expect(pids()).not.toEqual(first)
  expect(await one.send({ text: "u6 sixth" })).toMatchObject({ outcome: "done" })
  expect((await said(one)).slice(-6)).toEqual(
    ["u4 fourth", "u5 fifth", "u6 sixth"].flatMap((text) => [text, `I heard ${text}`]),
  )
})

test("while Claude Code works for one front end, a move of another names the process that drives it, and changes nothing", async () => {
  const { one, log, pids } = await claude(`${CLAUDE_RECORDS}; ${WAITS_FOR_A_STOP}`)
  const sent = one.send({ text: "u4 fourth" })
  await until(one, ({ type }) => type === "turn-start")
  const shell = await log()
  const refused = await shell.back()
  expect(refused).toMatchObject({ outcome: "refused", ...BUSY })
  expect(refused).not.toHaveProperty("failure.agent")
  expect(pids()).toHaveLength(1)
  await shell.close()
  await one.stop()
  expect(await sent).toMatchObject({ outcome: "stopped" })
})

test("a prompt beside a move of the same front end waits for the end of the program that it ends", async () => {
  const { one } = await claude()
  await one.send({ text: "u4 fourth" })
  const [moved, sent] = await Promise.all([one.back(), one.send({ text: "at once" })])
  expect(moved).toMatchObject({ outcome: "moved" })
  expect(sent).toMatchObject({ outcome: expect.stringMatching(/^(?:done|withdrawn|stopped)$/) })
})

async function pi() {
  const folder = temporaryFolder()
  const launch = ACP_LAUNCHES.find(({ agent }) => agent === "pi") ?? FAKE_LAUNCH
  const at = makeTestHost({
    store: testStore(join(folder, "home"), join(folder, "person"), () => Date.now()),
    program: () => fakeAcp("as usual", { launch, env: { FAKE_PI: file } }),
  })
  const file = putPiSession({ folder, cwd: at.root })
  const { sessions } = await at.host.list({ agents: "all" })
  const { session } = await at.open(sessions[0]?.id)
  return { one: session, other: workIn(await opened(at.elsewhere().open(session.id))), file }
}

/** Claude Code says which process has the session open. */
async function claude(body = `${CLAUDE_RECORDS}; answer("I heard " + prompt); end()`) {
  const folder = temporaryFolder()
  const where = { file: "", registry: "" }
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const start = `
    const registered = process.env.REGISTRY + "/" + process.pid + ".json"
    fs.writeFileSync(registered, JSON.stringify({ pid: process.pid, sessionId: session }))
    process.on("exit", () => fs.rmSync(registered))
    process.on("SIGTERM", () => process.exit(143))`
  const at = makeTestHost({
    store,
    program: () =>
      claudeProgram({
        newId: randomUUID,
        program: fakeClaude(join(folder, "bin"), body, { start }),
        env: { PATH: process.env.PATH, SESSION_FILE: where.file, REGISTRY: where.registry },
      }),
  })
  Object.assign(where, putClaudeSession({ folder, cwd: at.root }))
  const [listed] = await store.list({ agents: "all" })
  const { session } = await at.open(listed?.id)
  return {
    one: session,
    other: workIn(await opened(at.elsewhere().open(session.id))),
    log: () => openSession(store, session.id, at.parts.session),
    pids: () => readdirSync(where.registry),
  }
}

async function opened(opening: Promise<HostSession>): Promise<HostSession> {
  const session = await opening
  onTestFinished(async () => void (await session.close()))
  return session
}

async function said(session: HostSession): Promise<string[]> {
  return (await session.context()).flatMap(({ role, content }) => (role === "system" ? [] : [plainText(content)]))
}
