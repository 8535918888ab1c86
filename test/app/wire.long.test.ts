// What providers really get: a move keeps what stays byte for byte, so that their prompt caches keep it.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { expectExtends, type WireHost, wireHost } from "./wire.ts"

const read = (id: string, path: string) => ({ id, name: "Read", input: { path } })
const backtrack = (id: string, checkpoint_id: number) => ({
  id,
  name: "Backtrack",
  input: { checkpoint_id, note: "the port is 8080" },
})

function write(at: WireHost): void {
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(join(at.root, name), `in ${name}\n`)
}

/** A round of four requests: two reads, one read, a backtrack to checkpoint 1, and the answer. */
async function exploredRound(fake: Vendor) {
  const at = await wireHost(fake)
  write(at)
  const { session } = await at.open()
  at.say(
    { text: "Looking.", calls: [read("call_a", "a.txt"), read("call_b", "b.txt")] },
    { calls: [read("call_c", "c.txt")] },
    { calls: [backtrack("call_d", 1)] },
    { text: "It is 8080." },
  )
  expect(await session.send({ text: "Which port?" })).toMatchObject({ outcome: "done" })
  return { at, session }
}

describe.each(Object.values(VENDORS) as Vendor[])("$endpoint.provider $endpoint.name", (fake) => {
  test("each step extends the request before it, and real tools answer", async () => {
    const { at } = await exploredRound(fake)
    expectExtends(at.body(1), at.body(0))
    expectExtends(at.body(2), at.body(1))
    expect(at.server.requests[1]?.text).toContain("in b.txt")
    expect(at.server.requests[2]?.text).toContain("in c.txt")
  })

  test("after a backtrack the request extends the one of that checkpoint, with the note and without what was left", async () => {
    const { at } = await exploredRound(fake)
    expectExtends(at.body(3), at.body(1))
    const text = at.server.requests[3]?.text ?? ""
    expect(text).toContain("<note>\\nthe port is 8080\\n</note>")
    expect(text).toContain("Checkpoint 2")
    expect(text).not.toContain("in c.txt")
    expect(text).not.toContain("did not happen")
    expect(text).not.toContain("call_d")
  })

  test("after going back the request extends the last one of the round before", async () => {
    const { at, session } = await exploredRound(fake)
    at.say({ calls: [read("call_e", "b.txt")] }, { text: "Second." }, { text: "Third." })
    await session.send({ text: "Read b once more." })
    expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "Read b once more." } })
    await session.send({ text: "Something else." })
    expectExtends(at.body(-1), at.body(3))
    expect(at.server.requests.at(-1)?.text).not.toContain("once more")
  })

  test("after an undo of a backtrack, with what followed it, the request extends what was sent there", async () => {
    const { at, session } = await exploredRound(fake)
    at.say({ text: "Second." }, { text: "Third." })
    expect(await session.undo()).toMatchObject({ outcome: "moved" })
    await session.send({ text: "And now?" })
    expectExtends(at.body(-1), at.body(2))
    expect(at.server.requests.at(-1)?.text).toContain("in c.txt")
    await session.undo()
    await session.send({ text: "Again?" })
    expectExtends(at.body(-1), at.body(2))
    expect(at.server.requests.at(-1)?.text).not.toContain("And now?")
  })

  test("the request for a summary extends the last one; un-compacted, the next one does too", async () => {
    const { at, session } = await exploredRound(fake)
    at.say({ text: "Second." }, { text: "Third." })
    await session.send({ text: "Two" })
    await session.send({ text: "Three" })
    at.say({ text: "## Goal\nFind the port." }, { text: "With the summary." }, { text: "Fourth." })
    expect(await session.compact()).toMatchObject({ outcome: "compacted" })
    expectExtends(at.body(6), at.body(5))
    await session.send({ text: "After the compaction" })
    const compacted = at.server.requests[7]?.text ?? ""
    expect(compacted).toContain("Previous context has been compacted")
    expect(compacted).not.toContain("in a.txt")
    await session.undo()
    expect(await session.undo()).toMatchObject({ outcome: "moved" })
    await session.send({ text: "Four" })
    expectExtends(at.body(8), at.body(5))
  })

  test("a session that was closed and opened again sends what it would have sent", async () => {
    const { at, session } = await exploredRound(fake)
    await session.close()
    const again = await at.open(session.id)
    at.say({ text: "Second." })
    await again.session.send({ text: "Two" })
    expectExtends(at.body(-1), at.body(3))
  })

  test("without Backtrack a request has no checkpoints, and its shape stays when a prompt follows a failed one", async () => {
    const at = await wireHost(fake, { backtrack: false })
    write(at)
    const { session } = await at.open()
    at.server.reply({ status: 403, body: { error: { message: "no", type: "permission_error" } } })
    expect(await session.send({ text: "One" })).toMatchObject({ outcome: "failed" })
    at.say({ calls: [read("call_a", "a.txt")] }, { text: "Read." })
    await session.send({ text: "Two" })
    expectExtends(at.body(1), at.body(0))
    expectExtends(at.body(2), at.body(1))
    expect(at.server.requests.map(({ text }) => text).join()).not.toContain("Checkpoint")
    expect(at.server.requests[0]?.text).not.toContain('"Backtrack"')
  })
})
