// Sessions written for Kimi Code, beyond what holds for every format.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { writeKimiCode } from "../../../src/formats/kimi-code/write.ts"
import type { Written } from "../../../src/formats/port.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import type { EntryId } from "../../../src/model/id.ts"
import type { Entry, MessageRecord, Part } from "../../../src/model/record/record.ts"
import { SYSTEM_KEY } from "../../../src/model/record/state-key.ts"
import { carriedOver } from "../carried-over.ts"
import { readSession, temporaryFolder } from "../read-session.ts"

carriedOver(kimiCode, { reasoning: "kept" })

const idOf = (n: number) => `0195b3c4-0000-7000-8000-${String(n).padStart(12, "0")}` as EntryId
const base = (n: number) => ({ id: idOf(n), at: "2026-11-16T10:00:00.000Z", parent: n === 0 ? null : idOf(n - 1) })
const text = (value: string): Part[] => [{ type: "text", text: value }]
const call = (id: string): Part => ({ type: "tool-call", call: id, name: "Read", input: {} })
const result = (id: string): Part => ({ type: "tool-result", call: id, output: `of ${id}` })

const compaction = (n: number, summary: string, keepFrom: EntryId | null): Entry => ({
  ...base(n),
  type: "compaction",
  summary,
  prompts: ["said before"],
  keepFrom,
  cause: "person",
})
const summarised = (as: string) => `${as}\n\nWhat the user asked before, word for word:\n\nsaid before`

type Bare = Omit<MessageRecord, "id" | "at" | "parent" | "type">

function message(n: number, bare: Bare): Entry {
  return { ...base(n), type: "message", ...bare }
}

const user = (n: number, value: string) => message(n, { role: "user", origin: "prompt", content: text(value) })
const agent = (n: number, content: Part[], answer?: string) =>
  message(n, { role: "assistant", origin: "agent", content, ...(answer !== undefined && { answer }) })
const tool = (n: number, ...content: Part[]) => message(n, { role: "tool", origin: "tool", content })

function write(home: string, entries: readonly Entry[]): Written {
  const newId = () => "0195b3c4-1111-7000-8000-000000000001"
  const request = { entries, cwd: "/home/you/My Project", homes: { home, env: {} }, title: undefined, newId }
  const written = writeKimiCode({ ...request, now: "2026-11-16T12:00:00.000Z" })
  for (const { path, bytes } of written.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  return written
}

/** One line per message of the context. */
async function readBack(entries: readonly Entry[]): Promise<string[]> {
  const home = temporaryFolder()
  write(home, entries)
  const [place] = kimiCode.find({ home, env: {} })
  const { history } = await readSession(kimiCode, place?.path ?? "")
  return contextAt(history).map(({ content }) =>
    content
      .map((part) => ("text" in part ? part.text : "call" in part ? `${part.type} ${part.call}` : part.type))
      .join("+"),
  )
}

test("the pieces of an answer are one message, before all of its results", async () => {
  const entries = [
    user(0, "one"),
    agent(1, [call("c1")], "a"),
    tool(2, result("c1")),
    agent(3, [...text("more"), call("c2")], "a"),
    tool(4, result("c2")),
  ]
  expect(await readBack(entries)).toEqual(["one", "more+tool-call c1+tool-call c2", "tool-result c1+tool-result c2"])
})

test("a call that never ended has a result before what follows", async () => {
  expect(await readBack([user(0, "one"), agent(1, [call("c1")]), user(2, "two"), agent(3, [call("c2")])])).toEqual([
    "one",
    "tool-call c1",
    "tool-result c1",
    "two",
    "tool-call c2",
    "tool-result c2",
  ])
})

test("after a summary comes what was kept, even of a kept tail that is compacted again", async () => {
  const entries = [
    user(0, "one"),
    agent(1, text("a1")),
    user(2, "two"),
    agent(3, text("a2")),
    compaction(4, "S1", idOf(2)),
  ]
  expect(await readBack([...entries, user(5, "three")])).toEqual([summarised("S1"), "two", "a2", "three"])
  const again = [...entries, user(5, "three"), compaction(6, "S2", idOf(3)), user(7, "four")]
  expect(await readBack(again)).toEqual([summarised("S2"), "a2", "three", "four"])
})

test("a summary may keep what precedes an earlier one, which is then left out, and named", async () => {
  const entries = [
    user(0, "one"),
    agent(1, text("a1")),
    compaction(2, "S1", null),
    user(3, "two"),
    compaction(4, "S2", idOf(1)),
    user(5, "three"),
  ]
  expect(await readBack(entries)).toEqual([summarised("S2"), "a1", "two", "three"])
  expect(write(temporaryFolder(), entries).lost.map(({ entry }) => entry)).toEqual([idOf(2)])
  // The last one keeps nothing of what the second one reached for.
  const more = [...entries, compaction(6, "S3", idOf(4)), user(7, "four")]
  expect(await readBack(more)).toEqual([summarised("S3"), "three", "four"])
  expect(write(temporaryFolder(), more).lost.map(({ entry }) => entry)).toEqual([idOf(4)])
})

test("what cannot be expressed is reported", () => {
  const { lost } = write(temporaryFolder(), [
    { ...base(0), type: "state", key: SYSTEM_KEY, value: "be brief" },
    message(1, { role: "user", origin: "prompt", content: [{ type: "file", mediaType: "text/csv", data: "" }] }),
    tool(2, result("nobody's")),
    { ...base(3), type: "unknown-entry", was: "hologram", agent: "pi" },
  ])
  expect(lost.map(({ entry }) => entry)).toEqual([idOf(0), idOf(1), idOf(2), idOf(3)])
})

test("it is where the program looks, and is resumed with the model that the program would use", () => {
  const home = temporaryFolder()
  mkdirSync(join(home, ".kimi-code"))
  writeFileSync(join(home, ".kimi-code", "config.toml"), 'telemetry = false\ndefault_model = "kimi-k2"\n')
  const { files, resume } = write(home, [user(0, "one")])
  const session = "session_0195b3c4-1111-7000-8000-000000000001"
  expect(files.at(1)?.path).toBe(join(home, ".kimi-code/sessions/wd_my-project_a32cfb0328e3", session, "state.json"))
  expect(resume).toEqual(["kimi", "--session", session, "--model", "kimi-k2"])
})
