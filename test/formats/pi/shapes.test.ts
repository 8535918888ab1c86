// Where sessions of pi are, versions of the format, and files that nobody should have written.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { pi } from "../../../src/formats/pi/format.ts"
import { KIND, plainText } from "../../../src/model/record/record.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import { entries, header, historyOf, idOf, message, sessionFile, text } from "./lines.ts"

test("sessions are found where pi's variables say, `~` included", () => {
  const home = temporaryFolder()
  const files = [".pi/agent/sessions/--a--/1.jsonl", "other/sessions/--b--/2.jsonl", "flat/3.jsonl"].map((name) => {
    mkdirSync(join(home, name, ".."), { recursive: true })
    writeFileSync(join(home, name), "")
    return join(home, name)
  })
  const found = (env: Record<string, string>) => [...pi.find({ home, env })].map(({ path }) => files.indexOf(path))
  expect(found({})).toEqual([0])
  expect(found({ PI_CODING_AGENT_DIR: "~/other" })).toEqual([1])
  expect(found({ PI_CODING_AGENT_DIR: "" })).toEqual([0])
  expect(found({ PI_CODING_AGENT_SESSION_DIR: join(home, "flat") })).toEqual([0, 2])
})

test("a file of version 1 has no ids: each entry continues the one before it", async () => {
  const lines = [message("user", "one"), message("assistant", [text("reply")]), message("user", "two")]
  const { version: _, ...first } = header
  const { history } = await readSession(pi, sessionFile(lines, first))
  expect([history.size, history.round(history.head), history.depth(history.head)]).toEqual([3, 2, 3])
})

test("ids that an extension made are followed like others", async () => {
  const lines = [
    { ...message("user", "one"), id: "my own id" },
    { ...message("assistant", [text("reply")]), parentId: "my own id" },
    { ...message("user", "two"), id: "01a1e0f3-469b-754c-b6db-6272ee553265" },
    { ...message("user", "three"), parentId: "my own id" },
  ]
  const history = await historyOf(...lines)
  expect(history.depth(history.head)).toBe(2)
})

test("the agent continues from the last line, even from a label or a setting", async () => {
  const lines = [message("user", "one"), message("assistant", [text("reply")]), message("user", "two")]
  const label = { type: "label", targetId: idOf(0), label: "here", parentId: idOf(1) }
  const history = await historyOf(...lines, label)
  expect(history.parent(history.head)).toBe(1)
  expect(history.record(history.size - 1)).toMatchObject({ type: "label", entry: history.id(0), name: "here" })
})

test("a name of spaces does not count", async () => {
  const history = await historyOf({ type: "session_info", name: " fine " }, { type: "session_info", name: " " })
  const titles = [1, 3].map((row) => history.record(row))
  expect(titles).toMatchObject([
    { key: "title", value: "fine" },
    { key: "title", value: null },
  ])
})

test("lines of any shape are damage, or entries of an unknown kind, and never fatal", async () => {
  const odd = [{ id: 5 }, { id: {} }, { type: 7 }, { type: "message", message: 3 }, { type: "compaction", summary: [] }]
  const wrong = [message("user", 9), message("assistant", [null, 4, { type: "toolCall" }]), message("toolResult", {})]
  const system = [message("system", null, { sections: [1] }), message("system", "", { sections: { a: {} } })]
  const lost = { ...message("user", "lost"), parentId: "..", timestamp: 1e300 }
  const { history } = await readSession(pi, sessionFile(entries([...odd, ...wrong, ...system, lost])))
  for (let row = 0; row < history.size; row++) {
    if (history.kind(row) !== KIND.damaged) expect(history.record(row)?.id).toBe(history.id(row))
  }
  const last = history.record(history.head)
  expect(last?.type === "message" && plainText(last.content)).toBe("lost")
})
