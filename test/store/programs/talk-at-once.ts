// Appends many small batches without waiting to be told. usage: talk-at-once FILE HOME NAME COUNT
import { answerDraft, fileStore, sessionOn } from "../../../src/index.ts"
import { systemOptions } from "../../../src/session/state/system.ts"

const [file = "", home = "", name = "", count = "0"] = process.argv.slice(2)
const store = fileStore({ home })
const session = sessionOn(store, await store.openFile(file), { ...systemOptions(), durability: "fast", head: "own" })
for (let i = 0; i < Number(count); i += 5) {
  await session.append(Array.from({ length: 5 }, (_, n) => answerDraft(`${name} ${i + n}`)))
}
await session.close()
