// Going back a round in another agent's session, so that its own program continues from there. Run it with:
// npx tsx examples/other-agents.ts SESSION_FILE
import { homedir } from "node:os"
import { agentsStore, plainText, RetconError, sessionOn, wordsFor } from "retcon"

const [file = ""] = process.argv.slice(2)
const store = agentsStore({
  home: process.env.RETCON_HOME ?? "/tmp/retcon-example",
  person: { home: homedir(), env: process.env },
})
const session = sessionOn(store, await store.openFile(file))
try {
  console.log(`a session of ${session.log.agent}, ${session.history.tips().length} branch(es)`)
  const moved = await session.back()
  // A refusal is a value: the agent has the session open, or would not continue from there.
  if (moved.outcome === "refused") throw new RetconError(moved.failure)
  console.log(`given back: ${moved.prompt?.text}`)
  for (const { role, content } of session.context()) console.log(`${role}: ${plainText(content)}`)
  console.log(`continue with: ${session.log.resume?.join(" ")}`)
} catch (error) {
  if (!(error instanceof RetconError)) throw error
  console.log(wordsFor(error.failure).message)
} finally {
  await session.close()
}
