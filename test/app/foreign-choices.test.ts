// What another agent's program offers in its session: models, modes, slash commands, the same in every front end.
import { methods } from "@agentclientprotocol/sdk"
import { expect, onTestFinished, test } from "vitest"
import { editor } from "../acp/editor.ts"
import { CLAUDE_RECORDS } from "../programs/fake-claude.ts"
import { plainTalk } from "../tui/stage.ts"
import { claudeHost, withClaude } from "./claude-host.ts"
import { until } from "./talk.ts"

/** Says how it was started, and what was set. */
const ANSWERS = `${CLAUDE_RECORDS}; answer("pid " + process.pid + " heard " + prompt); end()`

test("its models, modes and commands are known before the first prompt, and what is chosen is in the status", async () => {
  const host = claudeHost(ANSWERS)
  const { session } = await host.open(await host.listed())
  const told = until(session, (event) => event.type === "status" && event.status.program?.mode === "plan")
  expect(session.status().program).toEqual({})
  expect(await session.offers()).toMatchObject({
    models: [{ id: "opus", name: "Opus" }],
    modes: [{ id: "default" }, { id: "acceptEdits" }, { id: "plan" }],
    commands: [{ name: "review", hint: "[path]" }],
  })
  await session.choose("model", "Opus")
  await session.setMode("plan")
  expect(session.status()).toMatchObject({ model: "opus", program: { mode: "plan" } })
  await told
})

test("what it does not offer is refused with what it offers, and nothing has changed", async () => {
  const host = claudeHost(ANSWERS)
  const { session } = await host.open(await host.listed())
  const refused = (what: "mode" | "effort") => session.choose(what, "other").catch((error: unknown) => error)
  expect(await refused("mode")).toMatchObject({
    message: 'This program offers no mode "other".',
    hint: "It offers: default, acceptEdits, plan",
  })
  expect(await refused("effort")).toMatchObject({ message: "This program offers no choice of effort here." })
})

test("what was chosen holds after a move, which ends the program", async () => {
  const host = claudeHost(ANSWERS)
  const { session } = await host.open(await host.listed())
  await session.choose("model", "opus")
  await session.send({ text: "before" })
  await session.back()
  expect(session.status().model).toBe("Claude Code")
  await session.send({ text: "after" })
  expect(session.status().model).toBe("opus")
})

test("in a session of our own there is nothing to offer, and a choice says where it is made", async () => {
  const host = claudeHost(ANSWERS)
  const session = await host.host.create({ cwd: host.root })
  onTestFinished(async () => void (await session.close()))
  expect(await session.offers()).toBeUndefined()
  await expect(session.choose("model", "opus")).rejects.toThrow("No program of another agent works in this session.")
})

test("in the plain terminal, /model and /mode are the program's, and its own commands are sent to it", async () => {
  const host = claudeHost(ANSWERS)
  const written = await plainTalk(
    host,
    [
      ["", "/model"],
      ["Choose one with: /model NAME", "/mode plan"],
      ["the mode is now plan", "/review src"],
      ["heard /review src", "//cost"],
      ["heard /cost", "/reviw"],
      ["There is no command /reviw.", "/quit"],
    ],
    { kind: "resume", id: await host.listed() },
  )
  expect(written).toContain("opus: Opus Large")
})

test("while the program has the session open, an unknown command is still unknown, with what is near", async () => {
  const host = claudeHost(ANSWERS)
  const id = await host.listed()
  host.runs()
  const written = await plainTalk(
    host,
    [
      ["", "/bakc"],
      [
        "There is no command /bakc. Which ones Claude Code itself has is not known: Claude Code has this session open",
        "/b",
      ],
      ["There is no command /b.", "/quit"],
    ],
    { kind: "resume", id },
  )
  expect(written).toContain("Did you mean /back?")
})

test("in an editor the modes, models and commands are the program's", async () => {
  const { deps, put } = withClaude(ANSWERS)
  const at = await editor("allow_once", deps)
  put(at.root)
  const { sessions } = await at.host.list({ agents: "all" })
  const { session } = methods.agent
  const sessionId = sessions[0]?.id ?? ""
  const about = await at.agent.request(session.load, { sessionId, cwd: at.root, mcpServers: [] })
  expect(about).toMatchObject({
    modes: { currentModeId: "default", availableModes: [{ id: "default" }, { id: "acceptEdits" }, { id: "plan" }] },
    configOptions: [{ id: "model", options: [{ value: "opus" }] }],
  })
  await at.agent.request(session.setMode, { sessionId, modeId: "plan" })
  await at.agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text: "/review it" }] })
  expect(at.said()).toContain("heard /review it")
  const commands = at.updates.find(({ sessionUpdate }) => sessionUpdate === "available_commands_update")
  expect(commands).toMatchObject({
    availableCommands: expect.arrayContaining([
      expect.objectContaining({ name: "back" }),
      expect.objectContaining({ name: "review" }),
    ]),
  })
})
