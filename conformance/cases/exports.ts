// A program resumes what retcon writes for it exactly as it was.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CREATABLE } from "../../src/formats/all/formats.ts"
import type { Program } from "../programs/program.ts"
import { difference } from "../said.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse, PROMPTS } from "./conversation.ts"
import { NEXT, prompted } from "./reads.ts"

export const exported: Case = {
  name: "export",
  means:
    "the program resumes a retcon session, with sequential and parallel calls, with every message after `retcon export --to`",
  cannot: notWritten,
  differs: (stage) => resumedAsOurs(stage, TALK),
}

export const exportedImage: Case = {
  name: "export, image",
  means: "the same for a session with an image in a prompt",
  cannot: notWritten,
  differs: (stage) => resumedAsOurs(stage, [...TALK, ...IMAGE]),
}

export const exportedOdd: Case = {
  name: "export, odd parts",
  means:
    "of a session with prompts like commands and an image in a result, the program resumes what retcon reads in the copy, and what is missing there is reported as lost",
  cannot: notWritten,
  async differs(stage) {
    const { session: ours, copy, lost, resume } = await copied(stage, [...TALK, ...ODD])
    const [whole, shown] = [await stage.context(ours), await stage.context(copy)]
    const sent = await stage.ask(NEXT, undefined, resume)
    const missing = whole.filter(({ by, text }) => by === "user" && !shown.some((each) => each.text.includes(text)))
    if (missing.length > lost.length) return `not reported as lost: ${JSON.stringify(missing)}`
    return stage.difference(sent, [...shown, { by: "user", text: NEXT }])
  },
}

export const split: Case = {
  name: "split",
  means: "`retcon split` creates a session that the program resumes, and leaves the original unchanged",
  cannot: notWritten,
  async differs(stage) {
    await converse(stage)
    const [file, before] = [await stage.lines(), readFileSync(await stage.lines())]
    const { session, resume } = await stage.made("split", "@3", "-s", (await stage.session())?.file ?? "")
    const shown = await stage.context(session)
    const sent = await stage.ask(NEXT, undefined, resume)
    if (!readFileSync(file).equals(before)) return "the session that was split has changed"
    const held = await stage.prompts(session)
    const differs = stage.difference(sent, [...shown, { by: "user", text: NEXT }])
    return differs ?? difference(prompted(held), prompted([...PROMPTS.slice(0, 2), NEXT]))
  },
}

function notWritten({ agent }: Program): string | undefined {
  return CREATABLE.includes(agent) ? undefined : "retcon writes no sessions for it"
}

async function resumedAsOurs(stage: Stage, messages: object[]): Promise<string | undefined> {
  const { session, resume } = await copied(stage, messages)
  const ours = await stage.context(session)
  const sent = await stage.ask(NEXT, undefined, resume)
  return stage.difference(sent, [...ours, { by: "user", text: NEXT }])
}

/** A session of ours, and the copy of it for the program. */
async function copied(stage: Stage, messages: object[]) {
  stage.clear()
  const file = join(stage.place.work, "talk.json")
  writeFileSync(file, JSON.stringify(messages))
  const { session } = JSON.parse(await stage.retcon("import", file, "--json")) as { session: string }
  const made = await stage.made("export", "--to", stage.program.agent, "-s", session)
  return { session, copy: made.session, lost: made.lost ?? [], resume: made.resume }
}

const call = (id: string, path: string) => ({
  type: "tool-call",
  call: id,
  name: "Read",
  input: { path, lines: [1, 20] },
})
const result = (id: string, output: string) => ({ type: "tool-result", call: id, name: "Read", output })
const text = (words: string) => ({ type: "text", text: words })

/** In the form that `retcon show --context --json` prints. */
const TALK = [
  { role: "user", content: [text("What is in a.txt?")] },
  { role: "assistant", content: [text("I look."), call("one", "a.txt")] },
  { role: "tool", content: [result("one", "alpha\n\tbeta „γ“ 🙂\n")] },
  { role: "assistant", content: [text("Letters.")] },
  { role: "user", content: [text("And in b.txt and c.txt?\n\nBoth, please.")] },
  { role: "assistant", content: [text("Both at once."), call("two", "b.txt"), call("three", "c.txt")] },
  { role: "tool", content: [result("two", "b"), result("three", "c")] },
  { role: "assistant", content: [call("four", "d.txt")] },
  { role: "tool", content: [{ ...result("four", "there is no d.txt"), error: true }] },
  { role: "assistant", content: [text("More letters, and no d.txt.")] },
]

/** One dot. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const IMAGE = [
  { role: "user", content: [text("What is this?"), { type: "image", mediaType: "image/png", data: PNG }] },
  { role: "assistant", content: [text("A dot.")] },
]

const ODD = [
  { role: "assistant", content: [call("five", "dot.png")] },
  {
    role: "tool",
    content: [{ ...result("five", "a dot"), media: [{ type: "image", mediaType: "image/png", data: PNG }] }],
  },
  { role: "assistant", content: [text("I see it.")] },
  { role: "user", content: [text("/home/you is full, what now?")] },
  { role: "assistant", content: [text("Remove something.")] },
  { role: "user", content: [text("? I do not understand")] },
  { role: "assistant", content: [text("A file, for example.")] },
]
