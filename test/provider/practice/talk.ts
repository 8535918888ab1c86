// A conversation with the practice model over tools that work on files in memory, with checkpoints and backtracking.
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import type { Part } from "../../../src/model/record/record.ts"
import type { ModelEvent, ModelMessage, ToolSpec } from "../../../src/provider/port/port.ts"
import { practiceModel } from "../../../src/provider/practice/practice.ts"

export const ALL_TOOLS = ["Read", "Write", "Edit", "Bash", "Glob", "Grep", "Todo", "Task", "Backtrack"]

export class Talk {
  messages: ModelMessage[] = []
  readonly files: Map<string, string>
  readonly calls: { name: string; input: JsonObject }[] = []
  tools: string[]
  steps = 0
  #next = 0
  #marks = new Map<number, number[]>()

  constructor(files: Record<string, string> = {}, tools = ALL_TOOLS) {
    this.files = new Map(Object.entries(files))
    this.tools = tools
  }

  /** Sends a prompt, runs the turn to its end, and gives the last answer. */
  async prompt(text: string): Promise<string> {
    this.messages.push({ role: "user", content: [{ type: "text", text }] })
    return this.finish()
  }

  /** Runs the turn that is under way to its end. */
  async finish(): Promise<string> {
    for (let steps = 0; steps < 200; steps++) {
      const done = await this.step()
      if (done !== undefined) return done
    }
    throw new Error("the turn did not end")
  }

  async step(): Promise<string | undefined> {
    this.steps++
    if (this.tools.includes("Backtrack")) this.#checkpoint()
    const { content, reason } = await this.ask(this.messages)
    this.messages.push({ role: "assistant", content })
    if (reason !== "tool-calls") return textOf(content)
    const calls = content.filter((part) => part.type === "tool-call")
    const results = calls.map((call): Part => this.#result(call))
    this.messages.push({ role: "tool", content: results })
    const back = calls.find((call) => call.name === "Backtrack")
    if (back !== undefined && isObject(back.input)) this.#backtrack(back.input)
    return undefined
  }

  async ask(messages: readonly ModelMessage[]): Promise<Extract<ModelEvent, { type: "finish" }>> {
    const tools: ToolSpec[] = this.tools.map((name) => ({ name, description: name, input: { type: "object" } }))
    const { signal } = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of practiceModel().step({ messages, tools, signal })) events.push(event)
    const last = events.at(-1)
    if (last?.type !== "finish") throw new Error(`expected finish, got ${last?.type}`)
    return last
  }

  #checkpoint(): void {
    const last = this.messages.at(-1)
    last?.content.push({ type: "text", text: `<system>Checkpoint ${this.#next}</system>` })
    this.#marks.set(this.#next++, [this.messages.length, last?.content.length ?? 0])
  }

  #backtrack(input: JsonObject): void {
    const [length = 0, parts = 0] = this.#marks.get(Number(input.checkpoint_id)) ?? []
    this.messages = this.messages.slice(0, length)
    const last = this.messages.at(-1)
    if (last !== undefined) last.content = last.content.slice(0, parts)
    last?.content.push({
      type: "text",
      text: `<system>Note from your future self.</system>\n<note>\n${textOfField(input, "note")}\n</note>`,
    })
    this.#next = Number(input.checkpoint_id) + 1
  }

  #result(call: { call: string; name: string; input: Json }): Part {
    const input = isObject(call.input) ? call.input : {}
    this.calls.push({ name: call.name, input })
    const [output, error] = this.#run(call.name, input)
    return { type: "tool-result", call: call.call, name: call.name, output, ...(error && { error: true }) }
  }

  #run(name: string, input: JsonObject): [output: string, error?: boolean] {
    const path = textOfField(input, "path")
    const content = this.files.get(path)
    switch (name) {
      case "Read":
        return content === undefined ? [`There is no file ${path}.`, true] : [content]
      case "Write":
        this.files.set(path, textOfField(input, "content"))
        return ["written"]
      case "Edit":
        return this.#edit(path, content ?? "", input)
      case "Bash":
        return [`output of ${textOfField(input, "command")}`]
      case "Glob":
        return [[...this.files.keys()].join("\n")]
      case "Task":
        return [`did: ${textOfField(input, "prompt")}`]
      default:
        return this.tools.includes(name) ? ["ok"] : [`There is no tool ${name}.`, true]
    }
  }

  #edit(path: string, content: string, input: JsonObject): [output: string, error?: boolean] {
    const pieces = content.split(textOfField(input, "old"))
    if (pieces.length < 2) return ["The text is not there.", true]
    if (pieces.length > 2 && input.all !== true) return [`The text is there ${pieces.length - 1} times.`, true]
    this.files.set(path, pieces.join(textOfField(input, "new")))
    return ["edited"]
  }
}

export function textOf(content: readonly Part[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}

function textOfField(input: JsonObject, name: string): string {
  const value = input[name]
  return typeof value === "string" ? value : JSON.stringify(value ?? null)
}
