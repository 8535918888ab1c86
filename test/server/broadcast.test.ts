import { expect, test } from "vitest"
import { Broadcast } from "../../src/server/live/broadcast.ts"
import { readEvents, readUntil } from "./reader.ts"

function stream(count: number) {
  const broadcast: Broadcast = new Broadcast({
    generation: "g",
    snapshot: () => ({ type: "reset", data: { seq: broadcast.seq } }),
  })
  for (let seq = 1; seq <= count; seq++) broadcast.publish(seq, "event", { seq })
  const read = (last: string | null) => readEvents(new Response(broadcast.read(last)))
  return { broadcast, read }
}

test("the last 4,096 events can be resumed, and no more", async () => {
  const { read } = stream(20_000)
  const kept = read(`g.${20_000 - 4096}`)
  const last = await kept.until(({ data }) => data.seq === 20_000)
  expect(kept.events).toHaveLength(4096)
  expect(last.id).toBe("g.20000")
  const [reset] = [await read(`g.${20_000 - 4097}`).until(() => true)]
  expect(reset).toEqual({ id: "g.20000", type: "reset", data: { seq: 20_000 } })
})

test.each(["g.20001", "g.-1", "g.1e2", "g.", "g", "other.5", "", ".5", "g.5.5"])(
  "an id that was never given (%s) starts over",
  async (last) => {
    expect(
      (
        await stream(20)
          .read(last)
          .until(() => true)
      ).type,
    ).toBe("reset")
  },
)

test("a reader that has everything waits for the next", async () => {
  const { broadcast, read } = stream(20)
  const reader = read("g.20")
  broadcast.publish(21, "event", { seq: 21 })
  await reader.until(({ data }) => data.seq === 21)
  expect(reader.events).toHaveLength(1)
})

test("events that come together are sent together, once to each reader", async () => {
  const { broadcast } = stream(0)
  const body = broadcast.read(null).getReader()
  await body.read()
  for (let seq = 1; seq <= 500; seq++) broadcast.publish(seq, "event", { seq })
  const pieces = await readUntil(body, '{"seq":500}')
  expect(pieces.length).toBeLessThanOrEqual(2)
  expect(pieces.join("").match(/^event: /gm)).toHaveLength(500)
})

test("a new generation makes every reader start over", async () => {
  const { broadcast, read } = stream(5)
  const reader = read("g.5")
  broadcast.startOver("h")
  expect(await reader.until(() => true)).toEqual({ id: "h.5", type: "reset", data: { seq: 5 } })
  expect((await read("g.5").until(() => true)).type).toBe("reset")
})

test("a reader that missed more than may wait gets all of it, and is not dropped for that", async () => {
  const { broadcast } = stream(0)
  const text = "x".repeat(100_000)
  for (let seq = 1; seq <= 30; seq++) broadcast.publish(seq, "event", { seq, text })
  const slow = broadcast.read("g.0")
  broadcast.publish(31, "event", { seq: 31, text })
  broadcast.flush()
  const reader = readEvents(new Response(slow))
  await reader.until(({ data }) => data.seq === 31)
  expect(reader.events.map(({ data }) => data.seq)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
})
