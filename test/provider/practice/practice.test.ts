import { describe, expect, test } from "vitest"
import type { ModelEvent } from "../../../src/provider/port/port.ts"
import { practiceModel } from "../../../src/provider/practice/practice.ts"
import { ANNOUNCEMENT } from "../../../src/provider/practice/words.ts"
import { ALL_TOOLS, Talk, textOf } from "./talk.ts"

const names = (talk: Talk) => talk.calls.map((call) => call.name).join(" ")

describe("what the practice model does", () => {
  test("creates a file with exactly the text asked for", async () => {
    const talk = new Talk()
    const answer = await talk.prompt("create a.txt with hi")
    expect(talk.files.get("a.txt")).toBe("hi")
    expect(answer).toContain("Created a.txt.")
  })

  test("does several requests of one prompt, in order", async () => {
    const talk = new Talk()
    await talk.prompt("create a.txt with hi, then run ls -la and read a.txt")
    expect(talk.calls).toEqual([
      { name: "Write", input: { path: "a.txt", content: "hi" } },
      { name: "Bash", input: { command: "ls -la" } },
      { name: "Read", input: { path: "a.txt" } },
    ])
  })

  test("reads a file before it changes it, and changes all places when there are several", async () => {
    const talk = new Talk({ "a.txt": "red red blue" })
    const answer = await talk.prompt("change red to green in a.txt")
    expect(talk.files.get("a.txt")).toBe("green green blue")
    expect(names(talk)).toBe("Read Edit Edit")
    expect(answer).toContain('Changed "red" to "green" in a.txt.')
  })

  test("reports a failure as a failure and continues with the rest", async () => {
    const talk = new Talk()
    const answer = await talk.prompt("change a to b in none.txt, then run true")
    expect(answer).toContain("Read none.txt did not work: There is no file none.txt.")
    expect(names(talk)).toBe("Read Bash")
  })

  test("explores four files a step, backtracks with a note, and continues from there", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`f${n}.txt`, n === 7 ? "the port is 4711" : "x"]),
    )
    const talk = new Talk(files)
    const answer = await talk.prompt("explore for port, then create b.txt with done")
    expect(talk.calls.map((call) => call.name).join(" ")).toBe(
      "Glob Read Read Read Read Read Read Read Read Read Read Backtrack Write",
    )
    expect(talk.calls[11]?.input.checkpoint_id).toBe(0)
    expect(talk.calls[11]?.input.note).toContain("- f7.txt: the port is 4711")
    expect(answer).toContain("4711")
    expect(talk.messages.map((message) => message.role).join(" ")).toBe("user assistant tool assistant")
  })

  test("explores twice in one prompt, each with a separate note", async () => {
    const talk = new Talk({ "a.txt": "one" })
    await talk.prompt("explore, then explore for one")
    expect(names(talk)).toBe("Glob Read Backtrack Glob Read Backtrack")
    expect(talk.calls.filter((call) => call.name === "Backtrack").map((call) => call.input.checkpoint_id)).toEqual([
      0, 1,
    ])
  })

  test("explores without backtracking when it cannot", async () => {
    const talk = new Talk({ "a.txt": "one" }, ["Read", "Glob"])
    expect(await talk.prompt("explore")).toContain("I read 1 file: a.txt.")
    expect(names(talk)).toBe("Glob Read")
  })

  test("gives tasks on following lines to sub-agents in one step", async () => {
    const talk = new Talk()
    await talk.prompt("delegate: create a.txt with hi, then run ls\ndelegate: read b.txt\nrun pwd")
    expect(talk.calls).toEqual([
      {
        name: "Task",
        input: { description: "create a.txt with hi, then run", prompt: "create a.txt with hi, then run ls" },
      },
      { name: "Task", input: { description: "read b.txt", prompt: "read b.txt" } },
      { name: "Bash", input: { command: "pwd" } },
    ])
    expect(talk.steps).toBe(3)
  })

  test("keeps the todos of a plan up to date while it works on them", async () => {
    const talk = new Talk()
    const answer = await talk.prompt("plan: create a.txt with hi, think hard about it later, ship it")
    expect(names(talk)).toBe("Todo Write Todo Todo")
    expect(answer).toContain("- [x] create a.txt with hi")
    expect(answer).toContain("- [ ] ship it")
  })

  test("announces itself once, and lists what it can do", async () => {
    const talk = new Talk()
    expect(await talk.prompt("help")).toContain("create FILE with TEXT")
    await talk.prompt("run ls")
    const said = talk.messages
      .filter((message) => message.role === "assistant")
      .map((message) => textOf(message.content))
    expect(said.filter((text) => text.includes(ANNOUNCEMENT))).toHaveLength(1)
  })

  test("says so when it does not understand, and when a tool is not offered", async () => {
    expect(await new Talk().prompt("refactor everything")).toContain('I do not understand "refactor everything".')
    expect(await new Talk({}, ["Read"]).prompt("run ls")).toContain("I was not given Bash")
  })

  test("calls any tool by name, also one that does not exist or with input that is not JSON", async () => {
    const talk = new Talk()
    expect(await talk.prompt('call mcp__x__y {"a": [1, 2]}')).toContain("mcp__x__y did not work: There is no tool")
    expect(talk.calls).toEqual([{ name: "mcp__x__y", input: { a: [1, 2] } }])
    talk.messages.push({ role: "user", content: [{ type: "text", text: "call Read {broken" }] })
    expect((await talk.ask(talk.messages)).content.at(-1)).toMatchObject({ name: "Read", input: "{broken" })
  })

  test("takes up what is typed while it works", async () => {
    const talk = new Talk()
    talk.messages.push({ role: "user", content: [{ type: "text", text: "run one, then run two" }] })
    await talk.step()
    await talk.prompt("run three")
    expect(talk.calls.map((call) => call.input.command)).toEqual(["one", "two", "three"])
  })

  test("drops the rest of a stopped turn, and continues it when asked to", async () => {
    for (const [prompt, expected] of [
      ["run three", ["one", "three"]],
      ["continue", ["one", "two"]],
    ] as const) {
      const talk = new Talk()
      talk.messages.push({ role: "user", content: [{ type: "text", text: "run one, then run two" }] })
      await talk.step()
      const result = talk.messages.at(-1)?.content[0]
      if (result?.type === "tool-result") {
        result.output = "This tool call was interrupted before it ended. It may have had effects."
        result.error = true
      }
      await talk.prompt(prompt)
      expect(talk.calls.map((call) => call.input.command)).toEqual(expected)
    }
  })
})

describe("how it answers", () => {
  const request = (text: string, signal = new AbortController().signal) => ({
    messages: [{ role: "user" as const, content: [{ type: "text" as const, text }] }],
    tools: ALL_TOOLS.map((name) => ({ name, description: "", input: {} })),
    signal,
  })

  async function events(text: string, signal?: AbortSignal, sleep?: () => Promise<void>): Promise<ModelEvent[]> {
    const seen: ModelEvent[] = []
    for await (const event of practiceModel(sleep && { sleep }).step(request(text, signal))) seen.push(event)
    return seen
  }

  test("the same conversation gets the same events, ids included", async () => {
    expect(await events("run ls")).toEqual(await events("run ls"))
  })

  test("the deltas make up the text of the finish", async () => {
    const seen = await events("think about tea, then say hello there")
    const text = (type: string) =>
      seen.flatMap((event) => (event.type === type && "text" in event ? [event.text] : [])).join("")
    const finish = seen.at(-1)
    if (finish?.type !== "finish") throw new Error("no finish")
    expect(finish.content).toMatchObject([
      { type: "reasoning", text: text("reasoning-delta") },
      { type: "text", text: text("text-delta") },
    ])
  })

  test("waits between words when given a sleep, and stops at once when aborted", async () => {
    const controller = new AbortController()
    let waits = 0
    const sleep = async () => {
      if (++waits === 3) controller.abort()
    }
    const seen = await events("count to 1000", controller.signal, sleep)
    expect(seen.at(-1)).toEqual({ type: "failed", problem: { kind: "aborted", message: "Stopped." } })
    expect(seen.filter((event) => event.type === "text-delta")).toHaveLength(2)
  })
})
