// Does what each line on stdin says to the session, and prints how it went. usage: obey FILE HOME
import { createInterface } from "node:readline"
import { answerDraft, fileStore, promptDraft, RetconError, type Session, sessionOn } from "../../../src/index.ts"
import { systemOptions } from "../../../src/session/state/system.ts"

const [file = "", home = ""] = process.argv.slice(2)
const store = fileStore({ home })
let session: Session | undefined

const orders: { [order: string]: (open: Session, word: string) => Promise<unknown> } = {
  say: (open, word) => open.append(promptDraft(word)),
  /** A batch of three records of 20 KB each. */
  lots: (open, word) => open.append([1, 2, 3].map((n) => answerDraft(`${word}${n} ${"x".repeat(20_000)}`))),
  paste: (open, word) => open.append(promptDraft(word.padEnd(60_000, "y"))),
  begin: (open) => open.beginTurn(),
  back: async (open) => {
    const moved = await open.back()
    if (moved.outcome === "refused") throw new RetconError(moved.failure)
  },
  label: (open, word) => open.label("head", word),
  access: async (open) => open.log.access,
}

for await (const line of createInterface({ input: process.stdin })) {
  const [order = "", word = ""] = line.split(" ")
  try {
    session ??= sessionOn(store, await store.openFile(file), systemOptions())
    const answer = await orders[order]?.(session, word)
    console.log(order === "access" ? answer : "ok")
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    console.log(error.code === "session-busy" ? `${error.code} ${JSON.stringify(error.failure)}` : error.code)
  }
}
