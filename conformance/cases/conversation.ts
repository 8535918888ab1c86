// A real conversation with a program: texts, a call, one that fails, parallel calls. Made once per program.
import type { WireAnswer } from "../../test/provider/wire/server.ts"
import type { ToolCall } from "../programs/program.ts"
import type { Stage } from "../stage.ts"

/** What was typed, in order. */
export const PROMPTS = [
  "Hello, are you there?",
  "Write a first file.",
  'Now do two things\nat once: "write" & <list>.',
  "Thank you.",
] as const

export async function converse(stage: Stage): Promise<void> {
  if (stage.load("conversation")) return
  stage.clear()
  const { program, place } = stage
  const [hello, one, both, thanks] = PROMPTS
  await stage.ask(hello)
  await stage.ask(one, [
    { text: "I write it.", calls: [id(program.write(`${place.work}/one.txt`, "first\nsecond\n"))] },
    { text: "I look at another.", calls: [id(program.shell("cat there-is-none.txt"))] },
    { text: "It is written, and the other is not there." },
  ])
  await stage.ask(both, [
    {
      text: "Both at once.",
      calls: [id(program.write(`${place.work}/two.txt`, "two\n")), id(program.shell("echo three && ls one.txt"))],
    },
    { text: "Both are done." },
  ])
  await stage.ask(thanks)
  stage.save("conversation")
}

export function id(call: ToolCall): NonNullable<WireAnswer["calls"]>[number] {
  return { id: "call", ...call }
}
