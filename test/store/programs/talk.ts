// Appends messages to a session that others write to as well, with labels and settings, and says what it was told.
// usage: talk FILE HOME NAME COUNT
import { createInterface } from "node:readline"
import { answerDraft, fileStore, promptDraft, sessionOn } from "../../../src/index.ts"
import { systemOptions } from "../../../src/session/state/system.ts"

const [file = "", home = "", name = "", count = "0"] = process.argv.slice(2)
const store = fileStore({ home })
const session = sessionOn(store, await store.openFile(file), { ...systemOptions(), durability: "fast", head: "own" })
let changed = 0
session.on((event) => {
  if (event.type === "changed") changed += event.lines
})
console.log("ready")
await new Promise((done) => createInterface({ input: process.stdin }).once("line", done))

const entries: string[] = []
for (let i = 0; i < Number(count); i++) {
  // Every third time two records in one batch, of which the second continues the first.
  const drafts = i % 3 === 0 ? [promptDraft(`${name} ${i}`)] : [promptDraft(`${name} ${i}`), answerDraft(`re ${i}`)]
  if (i % 3 !== 0) i++
  entries.push(...(await session.append(drafts)))
  if (i % 20 === 0) await session.configure(`${name}.${i}`, i)
  if (i % 25 === 0) await session.label("head", `${name}-${i}`)
}
const labels = session.labels().size
console.log(JSON.stringify({ entries, changed, head: session.head, labels }))
await session.close()
process.exit(0)
