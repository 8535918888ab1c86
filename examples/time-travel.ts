// Going back, taking another way, and finding the first one again. Run it with: npx tsx examples/time-travel.ts
import {
  answerDraft,
  createSession,
  memoryStore,
  openSession,
  path,
  plainText,
  promptDraft,
  type Session,
} from "retcon"

const store = memoryStore() // fileStore({ home }) keeps sessions on disk
const session = await createSession(store, { cwd: process.cwd(), made: { name: "example", version: "1" } })

await session.append([promptDraft("Parse the file."), answerDraft("Here is a parser with regular expressions.")])
await session.append([promptDraft("Now handle quotes."), answerDraft("The expressions grow…")])
show("two rounds", session)

// Back to the end of the first round. The prompt's text returns, so that it can be rewritten.
const moved = await session.back()
if (moved.outcome === "moved") console.log(`back in the editor: ${moved.prompt?.text}`)
await session.append([promptDraft("Use a state machine."), answerDraft("A state machine handles quotes, too.")])
await session.label("head", "state-machine")
show("another way", session)

// Nothing was lost: both ways are in the tree, and undo walks back through all of it.
console.log(`branches: ${session.history.tips().length}`)
await session.undo()
await session.undo()
show("undone twice", session)

// A move is a record: opening the session again leads to the same place, and the conversation can continue from there.
await session.close()
const reopened = await openSession(store, session.id)
show("reopened", reopened)
await reopened.goto("state-machine")
show("by its label", reopened)
console.log(`the model would get ${reopened.context().length} messages`)
await reopened.close()

function show(title: string, { history, headRow }: Session): void {
  console.log(`${title}:`)
  for (const row of path(history, headRow)) {
    const record = history.record(row)
    if (record?.type === "message") console.log(`  ${record.role}: ${plainText(record.content)}`)
  }
}
