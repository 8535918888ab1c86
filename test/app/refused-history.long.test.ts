// A history that a provider refuses is no dead end: the entry is named, and one goes back before it or on without it.
import { expect, test } from "vitest"
import { units, unitWords } from "../../src/history/words/units.ts"
import { adviceText } from "../../src/model/failure/failure.ts"
import { png } from "../provider/fakes/images.ts"
import { Refusal } from "../provider/fakes/refusal.ts"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { type WireHost, wireHost } from "./wire.ts"

const all = Object.entries(VENDORS) as [string, Vendor][]
const picture = { type: "image" as const, mediaType: "image/png", data: png() }
const WORDS = "Could not process image"

/** Every request with this picture is refused, as vendors do with some that look whole. */
function refusePictures(at: WireHost, vendor: Vendor): void {
  const { judge } = at.server
  at.server.judge = (request) =>
    request.text.includes(picture.data) ? { reply: vendor.refusal(new Refusal(WORDS)), because: WORDS } : judge(request)
}

async function refused(vendor: Vendor) {
  const at = await wireHost(vendor)
  const { session } = await at.open()
  at.say({ text: "Hello." })
  await session.send({ text: "hi" })
  refusePictures(at, vendor)
  const answer = await session.send({ text: "look", media: [picture] })
  if (answer.outcome !== "failed") throw new Error(answer.outcome)
  const hint = adviceText(answer.advice)
  return { at, session, answer, hint, entry: /omit (\w+)/.exec(hint)?.[1] ?? "" }
}

test.each(all)("%s: the entry is named, with what to do; nobody is told to send it again", async (_, vendor) => {
  const { session, answer, hint, entry } = await refused(vendor)
  expect(answer.message).toContain(WORDS)
  expect(answer.message).toContain(`the image or file in your message (entry ${entry})`)
  expect(hint).toMatch(/^Continue without it: omit \w+\. Or go back before it: back\./)
  expect(hint).not.toMatch(/again/)
  expect((await session.rounds()).at(-1)?.prompt.endsWith(entry)).toBe(true)
})

test.each(all)("%s: without it the conversation continues, even after it was opened again", async (_, vendor) => {
  const { at, session, entry } = await refused(vendor)
  expect(await session.omit(entry)).toMatchObject({ parts: "media" })
  at.say({ text: "I see nothing." }, { text: "Still here." })
  expect(await session.send({ text: "go on" })).toMatchObject({ outcome: "done" })
  expect(at.server.requests.at(-1)?.text).toContain("left out, because the provider refused it")
  await session.close()
  const again = await at.open(session.id)
  expect(await again.session.send({ text: "and now?" })).toMatchObject({ outcome: "done" })
  expect(at.server.refused).toHaveLength(1)
})

test("until it is left out, an entry that was refused is named again, not the prompt after it", async () => {
  const at = await wireHost(VENDORS.anthropic)
  const { session } = await at.open()
  at.say({ text: "Hello." })
  await session.send({ text: "hi" })
  const { judge } = at.server
  const bad = new Refusal("messages[3].content is not allowed")
  at.server.judge = (request) =>
    /REFUSEIT|WORSE/.test(request.text)
      ? { reply: VENDORS.anthropic.refusal(bad), because: bad.message }
      : judge(request)
  const named = async (text: string) => {
    const answer = await session.send({ text })
    return /omit (\w+)/.exec(answer.outcome === "failed" ? adviceText(answer.advice) : "")?.[1] ?? "none"
  }
  const entry = await named("REFUSEIT please")
  expect((await session.rounds()).at(-1)?.prompt.endsWith(entry)).toBe(true)
  expect(await named("continue")).toBe(entry)
  await session.close()
  const again = (await at.open(session.id)).session
  expect(await again.send({ text: "and now?" })).toMatchObject({ message: expect.stringContaining(`(entry ${entry})`) })
  await again.omit(entry)
  expect(await again.send({ text: "WORSE" })).not.toMatchObject({
    message: expect.stringContaining(`(entry ${entry})`),
  })
})

test("the log keeps what is left out, and you can go back to before it as well", async () => {
  const { at, session, entry } = await refused(VENDORS.anthropic)
  await session.omit(entry)
  expect(JSON.stringify(await session.context())).not.toContain(picture.data)
  expect(JSON.stringify(session.history.record(session.history.prompt(session.head)))).toContain(picture.data)
  expect(await session.back()).toMatchObject({ outcome: "moved" })
  at.say({ text: "ok" })
  expect(await session.send({ text: "something else" })).toMatchObject({ outcome: "done" })
})

test("leaving it out is a separate step: listed, undone and redone without the round before it", async () => {
  const { session, entry } = await refused(VENDORS.anthropic)
  const isSeen = async () => JSON.stringify(await session.context()).includes(picture.data)
  const steps = () =>
    [...units(session.history)].map((unit) => {
      const { kind, text } = unitWords(session.history, unit)
      return `${kind} ${text}${unit.next === undefined ? "" : ` <- ${unit.next}`}`
    })
  const [round] = steps()
  const head = session.head
  await session.omit(entry)
  expect(steps().slice(0, 2)).toEqual(["omit look <- undo", round?.replace(" <- undo", "")])
  expect([...units(session.history)].at(1)?.to).toBe(head)
  expect(await session.undo()).toMatchObject({ outcome: "moved" })
  expect([await isSeen(), session.head, (await session.rounds()).length]).toEqual([true, head, 2])
  await session.redo()
  expect(await isSeen()).toBe(false)
  await session.undo()
  await session.undo()
  expect(await session.rounds()).toHaveLength(1)
})

test("the text of a message can be left out too, and a result still answers its call", async () => {
  const vendor = VENDORS.anthropic
  const at = await wireHost(vendor)
  const { session } = await at.open()
  at.say({ calls: [{ id: "c1", name: "Bash", input: { command: "echo hello" } }] }, { text: "Done." })
  await session.send({ text: "say hello" })
  const result = (await session.context()).findIndex(({ role }) => role === "tool")
  const { history, head } = session
  const rows = Array.from({ length: head + 1 }, (_, row) => history.record(row))
  const entry = rows.find((record) => record?.type === "message" && record.role === "tool")?.id ?? ""
  expect(await session.omit(entry)).toMatchObject({ parts: "all" })
  expect(JSON.stringify((await session.context())[result])).not.toContain("hello")
  at.say({ text: "ok" })
  expect(await session.send({ text: "go on" })).toMatchObject({ outcome: "done" })
  expect(at.server.refused).toEqual([])
})

test("what is not a message on the path cannot be left out", async () => {
  const { session } = await refused(VENDORS.anthropic)
  await expect(session.omit("nothing-like-it")).rejects.toMatchObject({ code: "not-found" })
})
