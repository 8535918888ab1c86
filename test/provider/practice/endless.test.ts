// Whatever is asked and whatever the tools answer, a turn ends.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { Part } from "../../../src/model/record/record.ts"
import type { ModelMessage } from "../../../src/provider/port/port.ts"
import { practiceAnswer } from "../../../src/provider/practice/practice.ts"
import { ALL_TOOLS } from "./talk.ts"

const clause = fc.constantFrom(
  "create a.txt with hi",
  "change a to b in a.txt",
  "read a.txt, b.txt",
  "run ls",
  "explore 9 files for x",
  "list files",
  "delegate: run ls",
  "plan: run a, think, run b",
  "backtrack to 1: note",
  "call Nothing {}",
  "say hello",
  "help",
)
const prompt = fc.array(clause, { minLength: 1, maxLength: 4 }).map((clauses) => clauses.join("\n"))
const output = fc.oneof(
  fc.constantFrom(
    "ok",
    "",
    "a.txt\nb.txt\nc.txt",
    "read it first",
    "there 3 times",
    "This tool call was interrupted before it ended.",
  ),
  fc.string({ maxLength: 30 }),
)
const results = fc.infiniteStream(fc.record({ output, error: fc.boolean() }))
const tools = fc.subarray(ALL_TOOLS).map((names) => names.map((name) => ({ name, description: "", input: {} })))

test("every turn ends, whatever the tools answer", () => {
  fc.assert(
    fc.property(prompt, results, tools, (text, answers, offered) => {
      const messages: ModelMessage[] = [
        {
          role: "user",
          content: [
            { type: "text", text },
            { type: "text", text: "<system>Checkpoint 0</system>" },
          ],
        },
      ]
      for (let steps = 0; steps < 60; steps++) {
        const { reason, content } = practiceAnswer({ messages, tools: offered })
        messages.push({ role: "assistant", content })
        if (reason === "stop") return
        const calls = content.filter((part) => part.type === "tool-call")
        const settled = calls.map(({ call, name }): Part => {
          const answer = answers.next().value
          return { type: "tool-result", call, name, output: answer.output, ...(answer.error && { error: true }) }
        })
        messages.push({ role: "tool", content: settled })
      }
      expect.fail("the turn did not end")
    }),
    { numRuns: 200 },
  )
})

test("any conversation gets an answer", () => {
  const part = fc.oneof(
    fc.string().map((text): Part => ({ type: "text", text })),
    fc.constant({ type: "text" } as Part),
    fc.constant<Part>({ type: "tool-result", call: "c", output: "x" }),
    fc.constant<Part>({ type: "tool-call", call: "c", name: "Read", input: null }),
    fc.constant<Part>({ type: "unknown", raw: {} }),
  )
  const message = fc.record({
    role: fc.constantFrom("system", "user", "assistant", "tool"),
    content: fc.array(part, { maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(message as fc.Arbitrary<ModelMessage>, { maxLength: 8 }), (messages) => {
      const { reason, content } = practiceAnswer({ messages, tools: [] })
      expect(reason).toBe("stop")
      expect(content.map((part) => part.type === "text" && part.text.trim())).not.toContain("")
      expect(content.at(-1)).toMatchObject({ type: "text" })
    }),
    { numRuns: 200 },
  )
})
