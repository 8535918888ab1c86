import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { methods } from "@agentclientprotocol/sdk"
import { describe, expect, it } from "vitest"
import { editOf } from "../../src/acp/edit.ts"
import { unifiedDiff } from "../../src/model/text/unified-diff.ts"
import { until } from "../within.ts"
import { type Editor, editor } from "./editor.ts"

const { session } = methods.agent

async function opened(at: Editor): Promise<string> {
  return (await at.agent.request(session.new, { cwd: at.root, mcpServers: [] })).sessionId
}

function prompt(at: Editor, sessionId: string, text: string) {
  return at.agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text }] })
}

const kinds = (at: Editor) => at.updates.map(({ sessionUpdate }) => sessionUpdate)

describe("retcon in an editor", () => {
  it("works on a prompt, and asks with the old and the new text before it writes", async () => {
    const at = await editor()
    const id = await opened(at)
    writeFileSync(join(at.root, "a.txt"), "one\n")
    expect(await prompt(at, id, "create b.txt with hello")).toEqual({ stopReason: "end_turn" })
    expect(await prompt(at, id, "replace one with two in a.txt")).toEqual({ stopReason: "end_turn" })
    expect(readFileSync(join(at.root, "a.txt"), "utf8")).toBe("two\n")
    expect(at.asked.map(({ toolCall }) => toolCall.content)).toEqual([
      [{ type: "diff", path: join(at.root, "b.txt"), oldText: null, newText: expect.stringContaining("hello") }],
      [{ type: "diff", path: join(at.root, "a.txt"), oldText: "one\n", newText: "two\n" }],
    ])
    expect(at.asked[0]?.options.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["allow_once", "allow_always", "reject_once"]),
    )
    expect(kinds(at)).toEqual(
      expect.arrayContaining(["agent_message_chunk", "tool_call", "tool_call_update", "usage_update"]),
    )
  })

  it("does nothing that the person refuses", async () => {
    const at = await editor("reject_once")
    const id = await opened(at)
    await prompt(at, id, "create b.txt with hello")
    expect(existsSync(join(at.root, "b.txt"))).toBe(false)
  })

  it("goes back with the files, undoes that, and shows the tree, as commands", async () => {
    const at = await editor()
    const id = await opened(at)
    await prompt(at, id, "say hello")
    await prompt(at, id, "create b.txt with hello")
    at.said()
    await prompt(at, id, "/back --files restore")
    expect(at.said()).toMatch(
      /^Moved\. .* left behind, nothing is lost\..* Take this back with \/undo\.\n\nFiles restored too: .*b\.txt\n\nYour prompt was: create b\.txt with hello$/,
    )
    expect(existsSync(join(at.root, "b.txt"))).toBe(false)
    await prompt(at, id, "/undo")
    expect(existsSync(join(at.root, "b.txt"))).toBe(true)
    at.said()
    await prompt(at, id, "/tree")
    expect(at.said()).toMatch(/^```\n[\s\S]*create b\.txt with hello[\s\S]*\n```$/)
    expect(at.updates.find(({ sessionUpdate }) => sessionUpdate === "available_commands_update")).toMatchObject({
      availableCommands: expect.arrayContaining([
        { name: "back", description: expect.any(String), input: { hint: expect.any(String) } },
      ]),
    })
  })

  it("moves by methods of its own, and refuses with the reason", async () => {
    const at = await editor()
    const id = await opened(at)
    await expect(at.agent.request("_retcon/back", { sessionId: id })).rejects.toThrow("The conversation is empty here.")
    await prompt(at, id, "say hello")
    await prompt(at, id, "create b.txt with hello")
    expect(await at.agent.request("_retcon/back", { sessionId: id, dryRun: true })).toMatchObject({
      outcome: "planned",
    })
    expect(existsSync(join(at.root, "b.txt"))).toBe(true)
    expect(await at.agent.request("_retcon/back", { sessionId: id, files: "restore" })).toMatchObject({
      outcome: "moved",
    })
    expect(existsSync(join(at.root, "b.txt"))).toBe(false)
    await at.agent.request("_retcon/undo", { sessionId: id })
    expect(await at.agent.request("_retcon/prompts", { sessionId: id })).toMatchObject({
      prompts: [{ text: "say hello" }, { text: "create b.txt with hello" }],
    })
  })

  it("stops a turn, and withdraws the question that was open", async () => {
    const at = await editor("later")
    const id = await opened(at)
    const turn = prompt(at, id, "create b.txt with hello")
    await until(() => at.asked.length > 0)
    await at.agent.notify(session.cancel, { sessionId: id })
    expect(await turn).toEqual({ stopReason: "cancelled" })
    expect(at.lines().some((line) => line.includes('"$/cancel_request"'))).toBe(true)
  })

  it("lists sessions, and replays only the path of the one that is loaded", async () => {
    const at = await editor()
    const id = await opened(at)
    await prompt(at, id, "create b.txt with hello")
    await prompt(at, id, "say something else")
    await prompt(at, id, "/back")
    await at.agent.request(session.close, { sessionId: id })
    const { sessions } = await at.agent.request(session.list, { cwd: at.root })
    expect(sessions).toMatchObject([{ sessionId: id, cwd: at.root, title: expect.stringContaining("b.txt") }])
    at.updates.length = 0
    const loaded = await at.agent.request(session.load, { sessionId: id, cwd: at.root, mcpServers: [] })
    expect(loaded).toMatchObject({ modes: { currentModeId: "default" } })
    const users = at.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")
    expect(users).toMatchObject([{ content: { text: "create b.txt with hello" }, messageId: expect.any(String) }])
    expect(kinds(at)).toEqual(expect.arrayContaining(["tool_call", "tool_call_update", "agent_message_chunk"]))
    await at.agent.request(session.resume, { sessionId: id, cwd: at.root })
    await prompt(at, id, "/redo")
  })

  it("has its modes and options, and says when they change", async () => {
    const at = await editor()
    const id = await opened(at)
    await at.agent.request(session.setMode, { sessionId: id, modeId: "yolo" })
    await prompt(at, id, "create b.txt with hello")
    expect(at.asked).toEqual([])
    expect(at.updates).toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "yolo" })
    const set = await at.agent.request(session.setConfigOption, { sessionId: id, configId: "thinking", value: "high" })
    expect(set.configOptions).toContainEqual(expect.objectContaining({ id: "thinking", currentValue: "high" }))
    await expect(at.agent.request(session.setMode, { sessionId: id, modeId: "wild" })).rejects.toThrow("no mode")
  })

  it("takes a message during a turn into that turn, and mentions and files into the prompt", async () => {
    const at = await editor("later")
    const id = await opened(at)
    const turn = prompt(at, id, "create b.txt with hello")
    await until(() => at.asked.length > 0)
    const file = { uri: `file://${at.root}/a%20b.txt`, text: "inside" }
    const steered = at.agent.request(session.prompt, {
      sessionId: id,
      prompt: [
        { type: "text", text: "see " },
        { type: "resource_link", name: "c.txt", uri: `file://${at.root}/c.txt` },
        { type: "resource", resource: file },
      ],
    })
    const { session: same } = await at.open(id as never)
    await until(() => (same.live()?.queued.length ?? 0) > 0)
    expect(same.live()?.queued).toEqual([
      `see ${at.root}/c.txt ${at.root}/a b.txt\n\n<file path="${at.root}/a b.txt">\ninside\n</file>`,
    ])
    await at.agent.notify(session.cancel, { sessionId: id })
    expect([await turn, await steered]).toEqual([{ stopReason: "cancelled" }, { stopReason: "cancelled" }])
  })

  it("stops what runs and keeps what waits when the editor leaves; it writes nothing but messages", async () => {
    const at = await editor("later")
    const id = await opened(at)
    void prompt(at, id, "create b.txt with hello").catch(() => undefined)
    await until(() => at.asked.length > 0)
    void prompt(at, id, "and then this").catch(() => undefined)
    const { session: same } = await at.open(id as never)
    await until(() => (same.live()?.queued.length ?? 0) > 0)
    await at.leave()
    expect(existsSync(join(at.root, "b.txt"))).toBe(false)
    for (const line of at.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" })
    const again = await at.elsewhere().open(id as never)
    expect(again.takeDraft()).toMatchObject({ text: "and then this" })
    await again.close()
  })

  it("answers what it does not have or know with a sentence", async () => {
    const at = await editor()
    await expect(prompt(at, "nobody", "hello")).rejects.toThrow('No session "nobody" is open here.')
    const unknown = "01a1ef7f-e4fe-7db1-a657-2c9abb3bc5d9"
    await expect(at.agent.request(session.load, { sessionId: unknown, cwd: at.root, mcpServers: [] })).rejects.toThrow(
      /session/,
    )
    await expect(at.agent.request(session.new, { cwd: "relative", mcpServers: [] })).rejects.toThrow("absolute")
    at.toAgent.write("no message\n")
    await until(() => at.warnings.length > 0)
    expect(at.warnings).toEqual(["This line from the editor is no message: no message"])
  })
})

describe("an edit as old and new text", () => {
  const texts = [
    "",
    "a\n",
    "a",
    "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
    "a\nb\nX\nd\ne\nf\ng\nh\nY\ni",
    "\n\n",
    "new\na\nb\nc\nd\ne\nf\ng\nh\ni\n",
  ]
  it("gives back both texts, whatever their last lines are", () => {
    for (const before of texts)
      for (const after of texts.filter((each) => each !== before))
        expect(editOf(unifiedDiff("x", before, after), before)).toEqual({ oldText: before, newText: after })
  })

  it("is none if the file is not the one that the diff is of", () => {
    const diff = unifiedDiff("x", "a\nb\n", "a\nc\n")
    expect(editOf(diff, "a\nz\n")).toBeUndefined()
    expect(editOf(diff, undefined)).toBeUndefined()
    expect(editOf("x is binary; all of it is replaced.\n", "a")).toBeUndefined()
  })
})
