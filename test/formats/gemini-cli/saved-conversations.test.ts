// What Gemini CLI writes when it adds, rewinds, resumes, compresses and brings back a saved conversation, as random as it comes.
// The rule is its own: the file is folded into one list, and of that list some messages are not sent.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { contextOf, linesFile, promptsOf, readSession } from "../read-session.ts"
import { CONTEXT, HEADER, list, uuid } from "./messages.ts"

interface Said {
  id: string
  type: "user" | "gemini" | "info"
  content: object[]
  toolCalls?: { id: string; name: string; args: object; result: object[] }[]
}

const INTRODUCTION = "<session_context>\nfolders</session_context>"
const THANKS = "Got it. Thanks for the additional context!"

/** A naive Gemini CLI: it keeps its list in memory, and appends to its file what the real one appends. */
class NaiveGemini {
  readonly lines: object[] = [HEADER, list(CONTEXT)]
  readonly saved: Pick<Said, "type" | "content">[][] = []
  #list: Said[] = [CONTEXT as unknown as Said]
  #ids = 0

  add(type: Said["type"], content: object[], more: Partial<Said> = {}): Said {
    const said = { id: uuid(++this.#ids), timestamp: "2026-11-18T09:49:42.748Z", type, content, ...more }
    this.#list.push(said)
    this.lines.push(said)
    return said
  }

  round(prompt: string, calls: number): void {
    this.add("user", [{ text: prompt }])
    if (calls > 0) {
      const toolCalls = Array.from({ length: calls }, (_, n) => {
        const id = `call ${this.#ids} ${n}`
        return { id, name: "ls", args: {}, result: [response(id, `result ${id}`)] }
      })
      this.add("gemini", [{ text: "I look." }], { toolCalls })
      this.add(
        "user",
        toolCalls.flatMap(({ result }) => result),
      )
    }
    this.add("gemini", [{ text: `heard ${prompt}` }])
  }

  rewind(which: number): void {
    const prompts = this.#list.filter(isPrompt)
    const at = prompts[which % prompts.length]
    if (at === undefined || at.id === CONTEXT.id) return
    this.#list = this.#list.slice(0, this.#list.indexOf(at))
    this.lines.push({ $rewindTo: at.id })
  }

  /** It reads the file, sends what it sends, and writes the list of that. */
  resume(): void {
    const turns = sentOf(this.#list)
    this.#list = [
      CONTEXT as unknown as Said,
      ...turns.map(({ id, role, parts }): Said => {
        const known = this.#list.find((said) => said.id === id)
        return { ...known, id, type: role === "user" ? "user" : "gemini", content: parts }
      }),
    ]
    this.lines.push(HEADER, list(CONTEXT), { $set: { sessionId: HEADER.sessionId } }, list(...this.#list))
  }

  /** `/chat save`: the introduction and the first prompt become one message, and calls are part of the answer. */
  save(): void {
    const talk = this.#list.filter(({ id, type }) => type !== "info" && id !== CONTEXT.id)
    const turns = talk.map(({ type, content, toolCalls }) => ({
      type,
      content: [...content, ...callsIn(content, toolCalls)],
    }))
    const [first, ...rest] = turns
    if (first?.type === "user")
      this.saved.push([{ ...first, content: [{ text: INTRODUCTION }, ...first.content] }, ...rest])
  }

  /** `/chat resume`. */
  bringBack(which: number): void {
    const saved = this.saved[which % this.saved.length]
    if (saved === undefined) return
    this.#list = []
    for (const { type, content } of saved) this.add(type, content)
    this.lines.push(list(...this.#list))
  }

  compress(kept: number): void {
    const tail = this.#list.slice(1).slice(-kept * 2)
    const summary = {
      id: uuid(++this.#ids),
      type: "user" as const,
      content: [{ text: "<state_snapshot>all</state_snapshot>" }],
    }
    const thanks = { id: uuid(++this.#ids), type: "gemini" as const, content: [{ text: THANKS }] }
    const whole = tail.findIndex(isPrompt)
    this.#list = [summary, thanks, ...(whole === -1 ? [] : tail.slice(whole))]
    this.lines.push(list(...this.#list))
  }

  get sent(): string[] {
    const seen = new Set<string>()
    return sentOf(this.#list).flatMap(({ role, parts }) =>
      parts.flatMap((part) => {
        const { text, functionCall, functionResponse } = part as Loose
        if (functionCall !== undefined) return [`assistant: call ${functionCall.id}`]
        if (functionResponse === undefined) return [`${role}: ${text}`]
        if (seen.has(functionResponse.id)) return []
        seen.add(functionResponse.id)
        return [`tool: result ${functionResponse.id} ${functionResponse.response.output}`]
      }),
    )
  }
}

interface Loose {
  text?: string
  functionCall?: { id: string }
  functionResponse?: { id: string; response: { output: string } }
}

const response = (id: string, output: string) => ({ functionResponse: { id, name: "ls", response: { output } } })
const isPrompt = ({ type, content }: Said) => type === "user" && "text" in (content[0] ?? {})

/** Its calls, unless the content has them. */
function callsIn(content: readonly object[], toolCalls: Said["toolCalls"] = []): object[] {
  if (content.some((part) => "functionCall" in part)) return []
  return toolCalls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }))
}

/** What is sent of a list: Gemini CLI's `convertSessionToClientHistory`, in short. */
function sentOf(messages: readonly Said[]): { id: string; role: "user" | "assistant"; parts: object[] }[] {
  return messages.flatMap(({ id, type, content, toolCalls = [] }) => {
    if (type === "info") return []
    if (type === "user") {
      const text = content
        .map((part) => (part as Loose).text ?? "[…]")
        .join("")
        .trim()
      return /^$|^[/?]|^<(session|hook)_context>/.test(text) ? [] : [{ id, role: "user" as const, parts: content }]
    }
    const calls = callsIn(content, toolCalls)
    const results = toolCalls.flatMap(({ result }) => result)
    return [
      { id, role: "assistant" as const, parts: [...content, ...calls] },
      ...(results.length > 0 ? [{ id: `${id}_response`, role: "user" as const, parts: results }] : []),
    ]
  })
}

const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("round" as const),
      prompt: fc.constantFrom(
        "a prompt",
        "/home/you is the prompt",
        "? prompt",
        "another prompt",
        "<hook_context>x</hook_context>\n\nprompt",
      ),
      calls: fc.nat(2),
    }),
  },
  fc.record({ do: fc.constantFrom("rewind" as const, "bringBack" as const), which: fc.nat(5) }),
  fc.record({ do: fc.constantFrom("resume" as const, "save" as const, "info" as const) }),
  fc.record({ do: fc.constant("compress" as const), which: fc.nat(2) }),
)

test("whatever Gemini CLI did with its list, the context is what it sends when it resumes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 10 }), async (steps) => {
      const gemini = new NaiveGemini()
      for (const step of steps) {
        if (step.do === "round") gemini.round(step.prompt, step.calls)
        else if (step.do === "info") gemini.add("info", [{ text: "news" }])
        else if ("which" in step) gemini[step.do](step.which)
        else gemini[step.do]()
      }
      const { history } = await readSession(geminiCli, linesFile(gemini.lines))
      expect(contextOf(history).filter((line) => !line.startsWith("user: <session_context>"))).toEqual(gemini.sent)
      gemini.resume()
      const after = await readSession(geminiCli, linesFile(gemini.lines))
      expect(contextOf(after.history).filter((line) => !line.startsWith("user: <session_context>"))).toEqual(
        gemini.sent,
      )
      expect(promptsOf(after.history)).toEqual(promptsOf(history))
    }),
    { numRuns: 60 },
  )
})
