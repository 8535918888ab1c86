// Memory for the OpenAI Agents SDK that can go back: pass it as `run(agent, "hello", { session: memory })`. The runner is a script
// here. Run it with: npx tsx examples/openai-agents.ts
import { createSession, memoryStore } from "retcon"
import { type ItemSession, retconSession } from "retcon/openai-agents"

interface Item {
  type: "message"
  role: "user" | "assistant"
  content: string
}

await using session = await createSession(memoryStore(), { cwd: "/project", made: { name: "agent", version: "1" } })
const memory: ItemSession<Item> = retconSession<Item>(session)

async function run(input: string): Promise<void> {
  const asked: Item = { type: "message", role: "user", content: input }
  const items = [...(await memory.getItems()), asked]
  console.log(`the model gets: ${items.map(({ content }) => content).join(" / ")}`)
  const reply: Item = { type: "message", role: "assistant", content: `reply ${items.length}` }
  await memory.addItems([asked, reply])
}

await run("hello")
await run("write two")
await session.back()
await run("another two")
console.log(`removed: ${(await memory.popItem())?.content}`)
for (let i = 0; i < 3; i++) await session.undo() // the removal, the round, the way back
console.log(`as it was: ${(await memory.getItems()).map(({ content }) => content).join(" / ")}`)
