import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { claudeProgram } from "../../src/programs/claude-code/program.ts"
import { ruleFor } from "../../src/programs/claude-code/rule.ts"
import type { ProgramEvent } from "../../src/programs/port.ts"
import { temporaryFolder } from "../formats/read-session.ts"
import { opened } from "./contract.ts"
import { fakeClaude } from "./fake-claude.ts"

describe.each([{ once: false }, { once: true }])("a turn of the installed Claude Code: %j", ({ once }) => {
  const turn = (body: string, more: Partial<Wanted> = {}) => turnOf(body, { once, ...more })

  it("continues the session that is named, with the prompt as it was typed", async () => {
    const { end, events } = await turn(`text(session + " | " + prompt); end()`, { text: "-p 'quoted'\nsecond line" })
    expect(end).toEqual({ outcome: "done", denied: [] })
    expect(told(events)).toEqual([
      { type: "step-start" },
      { type: "text-delta", text: "s1 | -p 'quoted'\nsecond line" },
      { type: "text-end" },
      { type: "step-end", usage: { input: 100, output: 20, cacheRead: 0 } },
    ])
  })

  it("reports calls and results, and for a sub-agent's only that the file has grown", async () => {
    const { events } = await turn(`
      delta({ type: "thinking_delta", thinking: "Hm." })
      call("c1", "Bash", { command: "ls" })
      say({ type: "assistant", parent_tool_use_id: "c1", message: { content: [{ type: "text", text: "inner" }] } })
      tool("c1", [{ type: "text", text: "a.txt" }])
      process.stdout.write("not JSON\\n")
      end()`)
    expect(told(events)).toEqual([
      { type: "reasoning-delta", text: "Hm." },
      { type: "tool-start", call: "c1", name: "Bash", input: { command: "ls" } },
      { type: "tool-end", call: "c1", output: "a.txt", error: false },
    ])
    expect(events.filter(({ type }) => type === "grown").length).toBeGreaterThanOrEqual(4)
  })

  it("is over when the program has ended, even if something that it started still holds its output", async () => {
    const holder = `require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit", detached: true })`
    const { end, events } = await turn(`text(String(${holder}.pid)); end(); process.exit()`)
    process.kill(Number(events.find((event) => event.type === "text-delta")?.text))
    expect(end.outcome).toBe("done")
  })

  it("reports nothing of what a sub-agent streams", async () => {
    const { events } = await turn(`
      say({ type: "stream_event", parent_tool_use_id: "c1", event: { type: "message_start" } })
      say({ type: "stream_event", parent_tool_use_id: "c1", event: { type: "content_block_delta", delta: { type: "text_delta", text: "inner" } } })
      end()`)
    expect(told(events)).toEqual([])
  })

  it("reports whether a call failed, and its text, however that is written", async () => {
    const { events } = await turn(`
      call("c1", "Bash")
      tool("c1", "exit code 2", true)
      tool("c2", [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }])
      say({ type: "user", message: { content: [{ type: "text", text: "no result" }] } })
      say({ type: "assistant", message: { content: [{ type: "thinking", thinking: "Hm." }, { type: "new" }] } })
      end()`)
    expect(told(events)).toEqual([
      { type: "tool-start", call: "c1", name: "Bash", input: {} },
      { type: "tool-end", call: "c1", output: "exit code 2", error: true },
      { type: "tool-end", call: "c2", output: "one\ntwo", error: false },
      { type: "reasoning-end" },
    ])
  })

  it("counts the tokens of each answer by itself, as the last of its lines says", async () => {
    const { events } = await turn(`
      const streamed = (event) => say({ type: "stream_event", event })
      streamed({ type: "message_start", message: { usage: { input_tokens: 7, cache_creation_input_tokens: 5, cache_read_input_tokens: 3 } } })
      streamed({ type: "message_delta", usage: { output_tokens: 2 } })
      streamed({ type: "message_stop" })
      streamed({ type: "message_start" })
      streamed({ type: "message_stop" })
      end()`)
    expect(events.filter(({ type }) => type === "step-end")).toEqual([
      { type: "step-end", usage: { input: 7, output: 2, cacheRead: 3, cacheWrite: 5 } },
      { type: "step-end", usage: {} },
    ])
  })

  it("says what was denied, and passes on what the person has allowed since", async () => {
    const denials = `[{ tool_use_id: "c1", tool_name: "Bash", tool_input: { command: "touch x" } }]`
    const { end } = await turn(`end({ permission_denials: ${denials} })`)
    expect(end.denied).toEqual([{ call: "c1", tool: "Bash", input: { command: "touch x" }, rule: "Bash(touch x)" }])
    const { events } = await turn(`text(JSON.stringify(settings)); end()`, { allow: ["Bash(touch x)"] })
    expect(told(events)).toContainEqual({
      type: "text-delta",
      text: '{"permissions":{"allow":["Bash(touch x)"]}}',
    })
  })

  it("stops when asked to, even a program that does not listen", async () => {
    for (const listens of ["", `process.on("SIGTERM", () => {}); process.env.DEAF = "1"`]) {
      const { end } = await turn(`${listens}; text("working"); setInterval(() => {}, 1000)`, { stopAt: "text-end" })
      expect(end).toEqual({ outcome: "stopped", denied: [] })
    }
  })

  it.each([
    [`end({ is_error: true, result: "Credit balance is too low" })`, "Claude Code failed: Credit balance is too low"],
    [`process.stderr.write("No conversation found\\n"); process.exit(1)`, "Claude Code failed: No conversation found"],
    [`process.exit(3)`, "Claude Code ended with exit code 3."],
    [`end({ is_error: true, result: null, errors: ["one", "two"] })`, "Claude Code failed: one two"],
    [
      `fs.writeSync(2, "x".repeat(5000) + "the end"); process.exit(1)`,
      `Claude Code failed: ${"x".repeat(1993)}the end`,
    ],
  ])("says why it failed: %s", async (body, message) => {
    expect((await turn(body)).end).toEqual({ outcome: "failed", message, denied: [] })
  })

  it("says so when it cannot be started", async () => {
    const program = claudeProgram({ newId: randomUUID, program: "/nowhere/claude", env: {} })
    await expect(opened(program)).rejects.toThrow("could not be started")
  })
})

describe("a rule allows one call and no other", () => {
  it.each([
    ["Bash", { command: "npm test -- --run 'a (b)'" }, "Bash(npm test -- --run 'a (b)')"],
    ["Bash", { command: "rm *.log" }, undefined],
    ["Bash", { command: "ls\nrm x" }, undefined],
    ["Write", { file_path: "/srv/a b.txt", content: "" }, "Edit(//srv/a b.txt)"],
    ["Edit", { file_path: "/srv/[id].ts" }, undefined],
    ["Edit", { file_path: "relative.ts" }, undefined],
    ["MultiEdit", { file_path: "/srv/a.ts" }, "Edit(//srv/a.ts)"],
    ["Edit", {}, undefined],
    ["Bash", { command: 1 }, undefined],
    ["Bash", null, undefined],
    ["NotebookEdit", { notebook_path: "/srv/n.ipynb" }, "Edit(//srv/n.ipynb)"],
    ["Read", { file_path: "/etc/hosts" }, "Read(//etc/hosts)"],
    ["WebFetch", { url: "https://example.com/a?b" }, "WebFetch(domain:example.com)"],
    ["WebFetch", { url: "nothing" }, undefined],
    ["mcp__server__tool", {}, "mcp__server__tool"],
    ["", {}, undefined],
  ])("%s %j", (tool, input, rule) => {
    expect(ruleFor(tool, input)).toBe(rule)
  })
})

interface Wanted {
  once: boolean
  text: string
  allow: readonly string[]
  stopAt: ProgramEvent["type"]
}

async function turnOf(body: string, { once = false, text = "go", allow = [], stopAt }: Partial<Wanted>) {
  const folder = temporaryFolder()
  const events: ProgramEvent[] = []
  const program = claudeProgram({
    newId: randomUUID,
    program: fakeClaude(folder, body, { once }),
    env: { PATH: process.env.PATH },
  })
  const { live } = await opened(program, {
    allow,
    session: { id: "s1", file: "", resume: ["--resume", "s1"] },
    told(event) {
      events.push(event)
      if (event.type === stopAt) void live.stop()
    },
  })
  return { end: await live.prompt({ text, media: [] }), events }
}

function told(events: readonly ProgramEvent[]): ProgramEvent[] {
  return events.filter(({ type }) => type !== "grown")
}
