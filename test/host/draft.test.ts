// What a person typed and the agent never got is there again when the session is opened.
import { expect, test } from "vitest"
import { makeDraft } from "../../src/host/turn/unsent.ts"
import { newSession } from "../session/new-session.ts"

const image = { type: "image" as const, mediaType: "image/png", data: "AAAA" }

/** What the next one who opens the session finds. */
async function drafts() {
  const { session } = await newSession()
  return { session, draft: makeDraft(session), next: () => makeDraft(session).take() }
}

test("what was typed is kept, each on separate lines, commands with their sign", async () => {
  const { draft, next } = await drafts()
  const typed = [{ text: "one" }, { text: "ls", shell: true }, { text: "  " }]
  expect(await draft.keep(typed)).toEqual({ draft: { text: "one\n!ls" } })
  expect(next()).toEqual({ text: "one\n!ls" })
})

test("placeholders of long texts are shown, and images are named as missing", async () => {
  const { draft, next } = await drafts()
  const typed = [
    { text: "long text", display: "[text]", media: [image] },
    { text: "more", media: [] },
  ]
  expect(await draft.keep(typed)).toEqual({
    draft: { text: "long text\nmore", display: "[text]\nmore" },
    without: "images",
  })
  expect(next()).toEqual({ text: "long text\nmore", display: "[text]\nmore" })
})

test("a draft that nobody took stays, before the rest; one that was taken is replaced", async () => {
  const { session, draft, next } = await drafts()
  await draft.keep([{ text: "one" }])
  expect(await makeDraft(session).keep([{ text: "two" }])).toEqual({ draft: { text: "one\ntwo" } })
  expect(await makeDraft(session).keep([])).toBeUndefined()
  expect(next()).toEqual({ text: "one\ntwo" })
  const taker = makeDraft(session)
  taker.take()
  expect(await taker.keep([{ text: "three" }])).toEqual({ draft: { text: "three" } })
  expect(next()).toEqual({ text: "three" })
})

test("leaving with an empty editor leaves no draft", async () => {
  const { session, draft, next } = await drafts()
  await draft.keep([{ text: "one" }])
  const taker = makeDraft(session)
  taker.take()
  expect(await taker.keep([{ text: "" }])).toBeUndefined()
  expect(next()).toBeUndefined()
})

test("a prompt that is sent ends a draft that was taken, and no other", async () => {
  const { session, draft, next } = await drafts()
  await draft.keep([{ text: "one" }])
  makeDraft(session).sent()
  expect(next()).toEqual({ text: "one" })
  const taker = makeDraft(session)
  taker.take()
  taker.sent()
  await session.configure("title", "after it")
  expect(next()).toBeUndefined()
})

test("the same draft again writes nothing", async () => {
  const { session, draft } = await drafts()
  await draft.keep([{ text: "one" }])
  const size = session.history.size
  const taker = makeDraft(session)
  taker.take()
  expect(await taker.keep([{ text: "one" }])).toEqual({ draft: { text: "one" } })
  expect(session.history.size).toBe(size)
})

test("a draft that cannot be kept comes back with the reason; config that is no draft is none", async () => {
  const { session, draft, next } = await drafts()
  for (const value of [7, { text: "" }, { text: 1 }, null]) {
    await session.configure("draft", value)
    expect(next()).toBeUndefined()
  }
  await session.close()
  expect(await draft.keep([{ text: "one" }])).toEqual({
    draft: { text: "one" },
    problem: expect.stringContaining("closed"),
  })
  expect(await draft.keep([])).toBeUndefined()
})
