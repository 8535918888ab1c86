import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { writeGemini } from "../../../src/formats/gemini-cli/write.ts"
import { type History, path, prompts } from "../../../src/history/tree/tree.ts"
import type { EntryId } from "../../../src/model/id.ts"
import { entryText } from "../../../src/model/record/entry-text.ts"
import { isEntry, type LogRecord } from "../../../src/model/record/record.ts"
import { carriedOver } from "../carried-over.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import { roundTrip } from "../round-trip.ts"

carriedOver(geminiCli, { reasoning: "kept" })
roundTrip(geminiCli, { adds: "Got it. Thanks for the additional context!" })

const NOW = "2026-11-16T12:34:56.789Z"
const ID = "0195b3c4-1111-7000-8000-000000000001"

test("a copy of a real session has its prompts, the first one too", async () => {
  const { history } = await readSession(geminiCli, join(import.meta.dirname, "samples", "chats/three-rounds.jsonl"))
  const entries = path(history, history.head).flatMap((row) => {
    const record = history.record(row)
    return record !== undefined && isEntry(record) ? [record] : []
  })
  const home = temporaryFolder()
  const request = {
    entries,
    cwd: "/home/you/shop",
    homes: { home, env: {} },
    title: undefined,
    now: NOW,
    newId: () => ID,
  }
  const { files } = writeGemini(request)
  for (const file of files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.bytes)
  }
  const copy = await readSession(geminiCli, files.at(-1)?.path ?? "")
  const said = (of: History) => prompts(of, of.head).map((row) => entryText(of.record(row) as LogRecord))
  expect(said(copy.history)).toEqual(said(history))
})

test("what nobody typed is no prompt in the copy, and is said to look like one there", async () => {
  const message = (n: number, role: "user" | "assistant", origin: "prompt" | "injection" | "agent", text: string) => {
    const id = `0195b3c4-0000-7000-8000-00000000000${n}` as EntryId
    const content = [{ type: "text" as const, text }]
    return { id, parent: null, at: NOW, type: "message" as const, role, origin, content }
  }
  const entries = [
    message(1, "user", "prompt", "hello"),
    message(2, "user", "injection", "a reminder"),
    message(3, "assistant", "agent", "hi"),
  ]
  const homes = { home: temporaryFolder(), env: {} }
  const written = writeGemini({ entries, cwd: "/w", homes, title: undefined, now: NOW, newId: () => ID })
  for (const file of written.files) {
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, file.bytes)
  }
  const { history } = await readSession(geminiCli, written.files.at(-1)?.path ?? "")
  const asked = prompts(history, history.head).map((row) => entryText(history.record(row) as LogRecord))
  expect(asked).toEqual(["hello"])
  expect(written.lost).toEqual([{ entry: entries[1]?.id, what: "that nobody typed it" }])
})

test("what Gemini CLI would not send is named, and an image in a result is where it sends it", () => {
  const id = (n: number) => `0195b3c4-0000-7000-8000-00000000000${n}` as EntryId
  const base = (n: number) => ({ id: id(n), parent: null, at: NOW, type: "message" as const })
  const image = { type: "image" as const, mediaType: "image/png", data: "AAAA" }
  const written = writeGemini({
    entries: [
      { ...base(1), role: "user", origin: "prompt", content: [{ type: "text", text: "/tmp is full" }] },
      {
        ...base(2),
        role: "assistant",
        origin: "agent",
        content: [{ type: "tool-call", call: "c", name: "look", input: {} }],
      },
      {
        ...base(3),
        role: "tool",
        origin: "tool",
        content: [{ type: "tool-result", call: "c", output: "a dot", media: [image] }],
      },
    ],
    cwd: "/w",
    homes: { home: temporaryFolder(), env: {} },
    title: undefined,
    now: NOW,
    newId: () => ID,
  })
  expect(written.lost).toEqual([{ entry: id(1), what: expect.stringContaining("begins with / or ?") }])
  const answer = JSON.parse(
    Buffer.from(written.files.at(-1)?.bytes ?? [])
      .toString()
      .split("\n")[2] ?? "",
  )
  expect(answer.toolCalls[0].result).toMatchObject([
    { functionResponse: { id: "c" } },
    { inlineData: { data: "AAAA" } },
  ])
})
