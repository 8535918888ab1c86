// What a person typed and the agent never got is there again when the session is opened.
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { keptDraft } from "../../src/app/turn/unsent.ts"
import type { SessionId } from "../../src/model/id.ts"
import { localFiles } from "../../src/store/file/local/local-files.ts"

const image = (data: string) => ({ type: "image" as const, mediaType: "image/png", data })

/** What the next one who opens the session finds. */
function drafts() {
  const home = mkdtempSync(join(tmpdir(), "retcon-draft-"))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const local = () => localFiles(home, { id: "a".repeat(32) as SessionId, file: join(home, "log.jsonl") })
  const open = () => keptDraft(local())
  return { home, local, open, draft: open(), next: () => open().take() }
}

test("what was typed is kept, each on separate lines, commands with their sign", () => {
  const { draft, next } = drafts()
  const typed = [{ text: "one" }, { text: "ls", shell: true }, { text: "  " }]
  expect(draft.keep(typed)).toEqual({ draft: { text: "one\n!ls" } })
  expect(next()).toEqual({ text: "one\n!ls" })
})

test("placeholders of long texts are shown, and images come back under their placeholders", () => {
  const { draft, next } = drafts()
  const typed = [
    { text: "long text [image #1 a.png]", display: "[text] [image #1 a.png]", media: [image("AAAA")] },
    { text: "more [image #1 b.png]", media: [image("BBBB"), image("CCCC")] },
  ]
  const kept = {
    text: "long text [image #1 a.png]\nmore [image #2 b.png]",
    display: "[text] [image #1 a.png]\nmore [image #2 b.png]",
    media: [image("AAAA"), image("BBBB"), image("CCCC")],
  }
  expect(draft.keep(typed)).toEqual({ draft: kept })
  expect(next()).toEqual(kept)
})

test("a prompt that a move gave back is kept as one; with other text it is the person's own", () => {
  const { draft, open, next } = drafts()
  draft.keep([{ text: "one", inLog: true }])
  expect(next()).toEqual({ text: "one", inLog: true })
  open().keep([{ text: "two" }])
  expect(next()).toEqual({ text: "one\ntwo" })
})

test("a draft that nobody took stays, before the rest; one that was taken is replaced", () => {
  const { open, draft, next } = drafts()
  draft.keep([{ text: "one" }])
  expect(open().keep([{ text: "two" }])).toEqual({ draft: { text: "one\ntwo" } })
  expect(open().keep([])).toBeUndefined()
  expect(next()).toEqual({ text: "one\ntwo" })
  const taker = open()
  taker.take()
  expect(taker.keep([{ text: "three" }])).toEqual({ draft: { text: "three" } })
  expect(next()).toEqual({ text: "three" })
})

test("leaving with an empty editor leaves no draft", () => {
  const { home, open, draft, next } = drafts()
  draft.keep([{ text: "one" }])
  const taker = open()
  taker.take()
  expect(taker.keep([{ text: "" }])).toBeUndefined()
  expect(next()).toBeUndefined()
  expect(readdirSync(join(home, "local"))).toEqual([])
})

test("a prompt that is sent ends a draft that was taken, and no other", () => {
  const { open, draft, next } = drafts()
  draft.keep([{ text: "one" }])
  open().sent()
  expect(next()).toEqual({ text: "one" })
  const taker = open()
  taker.take()
  taker.sent()
  expect(next()).toBeUndefined()
})

test("a draft that cannot be kept comes back with the reason; what is no draft is none", () => {
  const { home, local, draft, next } = drafts()
  for (const value of [7, { text: "" }, { text: 1 }, null]) {
    local().write("draft", value)
    expect(next()).toBeUndefined()
  }
  rmSync(join(home, "local"), { recursive: true })
  writeFileSync(join(home, "local"), "")
  chmodSync(home, 0o500)
  onTestFinished(() => chmodSync(home, 0o700))
  expect(draft.keep([{ text: "one" }])).toEqual({ draft: { text: "one" }, problem: expect.stringContaining("local") })
  expect(draft.keep([])).toBeUndefined()
})
