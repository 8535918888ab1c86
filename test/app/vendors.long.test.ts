// With servers that hold every request to what the vendors document: nothing that a person or the agent does is refused.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { wireHost } from "./wire.ts"

const read = (id: string) => ({ id, name: "Read", input: { path: "a.txt" } })
const thinking = (id: string) => ({ reasoning: "Hm.", calls: [read(id)] })
const says = (text: string) => ({ reasoning: "Hm.", text })

describe.each(Object.entries(VENDORS) as [string, Vendor][])("%s", (_, vendor) => {
  test("compaction in mid-conversation, goto with a summary, backtrack, and other tools at -c", async () => {
    const at = await wireHost(vendor)
    writeFileSync(join(at.root, "a.txt"), "x\n")
    const { session, events } = await at.open()
    for (const n of [1, 2, 3]) {
      at.say(thinking(`call_${n}`), says(`Answer ${n}.`))
      expect(await session.send({ text: `Prompt ${n}` })).toMatchObject({ outcome: "done" })
    }
    at.say(says("## Goal\nRead."))
    expect(await session.compact()).toMatchObject({ outcome: "compacted" })
    at.say(thinking("call_4"), says("Answer 4."), thinking("call_5"), says("Answer 5."))
    for (const n of [4, 5]) expect(await session.send({ text: `Prompt ${n}` })).toMatchObject({ outcome: "done" })
    at.say(says("It was x."), thinking("call_6"), says("Answer 6."))
    expect(await session.goto("@5", { summarise: true })).toMatchObject({ outcome: "moved" })
    expect(await session.send({ text: "Prompt 6" })).toMatchObject({ outcome: "done" })
    const marks = at.server.requests.at(-1)?.text.match(/Checkpoint \d+/g) ?? []
    const next = Number(marks.at(-1)?.slice("Checkpoint ".length)) + 1
    const back = { id: "call_8", name: "Backtrack", input: { checkpoint_id: next, note: "a.txt holds x" } }
    at.say(thinking("call_7"), { reasoning: "Hm.", calls: [back] }, says("Answer 7."))
    expect(await session.send({ text: "Prompt 7" })).toMatchObject({ outcome: "done" })
    expect(events.filter(({ type }) => type === "backtracked")).toHaveLength(1)
    await session.close()
    at.parts.backtrack = false
    const again = (await at.open(session.id)).session
    at.say(thinking("call_9"), says("Answer 8."))
    expect(await again.send({ text: "Prompt 8" })).toMatchObject({ outcome: "done" })
    expect(at.server.refused).toEqual([])
  })
})
