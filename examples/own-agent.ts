// Your own agent: a loop over a model and its tools. The model here is a script; put your own in its place.
// Run it with: npx tsx examples/own-agent.ts
import {
  answerDraft,
  type ContextMessage,
  createSession,
  memoryStore,
  type Part,
  plainText,
  promptDraft,
  RetconError,
  type Session,
  toolDraft,
} from "retcon"

type Model = (context: ContextMessage[], signal: AbortSignal) => Promise<Part[]>
type Tools = Record<string, (input: unknown, signal: AbortSignal) => Promise<string>>

/** One turn: asks the model until it calls no more tools. Whatever stops the turn aborts `turn.signal`. */
async function runTurn(session: Session, prompt: string, model: Model, tools: Tools): Promise<string> {
  const turn = await session.beginTurn()
  try {
    await turn.append(promptDraft(prompt))
    for (;;) {
      const answer = await model(session.context(), turn.signal)
      // First the answer, then its tools: if this process dies in between, the next turn records the calls as interrupted.
      await turn.append(answerDraft(answer), { durable: true })
      const calls = answer.flatMap((part) => (part.type === "tool-call" ? [part] : []))
      if (calls.length === 0) return plainText(answer)
      const results: Part[] = []
      for (const { call, name, input } of calls) {
        const output = (await tools[name]?.(input, turn.signal)) ?? `There is no tool ${name}.`
        results.push({ type: "tool-result", call, name, output })
      }
      await turn.append(toolDraft(results))
    }
  } finally {
    await turn.end()
  }
}

const call = (name: string): Part => ({ type: "tool-call", call: `call-${name}`, name, input: {} })
const text = (words: string): Part => ({ type: "text", text: words })
const script: Part[][] = [[text("I look."), call("clock")], [text("It is noon.")], [text("I wait."), call("wait")]]
const model: Model = async () => script.shift() ?? [text("Nothing more to say.")]
let tellWaiting: () => void
const isWaiting = new Promise<void>((resolve) => {
  tellWaiting = resolve
})
const tools: Tools = {
  clock: async () => "12:00",
  wait: (_, signal) => {
    tellWaiting()
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as RetconError))
    })
  },
}

await using session = await createSession(memoryStore(), { cwd: "/project", made: { name: "example", version: "1" } })
console.log(await runTurn(session, "What time is it?", model, tools))

// A person goes back while the agent works: the turn stops, its call is recorded as interrupted, and nothing late gets in.
const ended = runTurn(session, "Wait for me.", model, tools).catch((error: unknown) => error)
await isWaiting
await session.back()
const error = await ended
if (error instanceof RetconError) console.log(`${error.code}: ${error.message}`)
for (const { role, content } of session.context()) console.log(`${role}: ${content.map(shown).join(" ")}`)

function shown(part: Part): string {
  if (part.type === "tool-call") return `(calls ${part.name})`
  return part.type === "tool-result" ? part.output : plainText([part])
}
