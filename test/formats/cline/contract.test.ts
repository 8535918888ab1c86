import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cline, kiloCode, rooCode } from "../../../src/formats/cline/format.ts"
import { copyOf, formatContract } from "../contract.ts"
import { documentTraps } from "../line-traps.ts"
import { readSession, rowsOf } from "../read-session.ts"

const samples = (agent: string) => join(import.meta.dirname, "..", agent, "samples")

/** The folder of an extension tells whose it is. */
const task = (agent: string, extension: string, name: string, prompts: string[]) => {
  const folder = join(samples(agent), extension)
  return { path: join(folder, "tasks", name), folder, prompts }
}

const NAME = "1795034418123_3a7bh"
const own = join(samples("cline"), NAME)
const classic = task("cline", "saoudrizwan.claude-dev", "1795034300000", ["u1 hello", "u2 and now write b"])
const roo = task("roo-code", "rooveterinaryinc.roo-cline", "019a7d1e-0000-7000-8000-000000000001", [
  "u1 hello",
  "u2 go on",
])
const kilo = task("kilo-code", "kilocode.kilo-code", "019a7d1e-0000-7000-8000-000000000002", ["u1 hello"])

formatContract(cline, [{ path: own, prompts: ["u1 TOOLWRITE THINK PARALLEL please"] }, classic], { grows: null })
formatContract(rooCode, [roo], { grows: null })
formatContract(kiloCode, [kilo], { grows: null })

documentTraps(cline, join(own, `${NAME}.messages.json`))
documentTraps(rooCode, join(roo.path, "api_conversation_history.json"))

test("another title changes no ids, so that labels stay where they are", async () => {
  const copy = copyOf(roo)
  const ids = async () => rowsOf((await readSession(rooCode, copy)).history).map((row) => (row as { id: string }).id)
  const before = await ids()
  writeFileSync(join(copy, "history_item.json"), JSON.stringify({ task: "a longer title than before", ts: 1 }))
  expect(await ids()).toEqual(before)
})
