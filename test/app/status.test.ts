// The status of a session: told when it changes, once for all that happens at the same moment.
import { expect, test } from "vitest"
import { tellStatus } from "../../src/app/open/tell-status.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { Status } from "../../src/protocol/shapes.ts"
import { talk } from "./talk.ts"

test("a new session has no rounds and no branches; each prompt is a round", async () => {
  const { open } = talk([{ text: "one" }, { text: "two" }])
  const { session } = await open()
  expect(session.status()).toMatchObject({ round: 0, rounds: 0, branches: 0, running: false, filesChanged: 0 })
  await session.send({ text: "first" })
  await session.send({ text: "second" })
  expect(session.status()).toMatchObject({ round: 2, rounds: 2, branches: 1 })
  await session.back()
  expect(session.status()).toMatchObject({ round: 1, rounds: 2 })
})

/** A status that counts how often it was looked at. */
function watched() {
  const told: unknown[] = []
  const now = { mode: "default" as Status["mode"], hidden: false }
  const watch = tellStatus(
    () => (now.hidden ? undefined : ({ mode: now.mode } as Status)),
    (status) => told.push(status.mode),
  )
  return { told, now, watch, settled: () => Promise.resolve() }
}

test("the same status is sent once, however often it is checked", async () => {
  const { told, now, watch, settled } = watched()
  watch.look()
  watch.look()
  await settled()
  watch.look()
  await settled()
  expect(told).toEqual(["default"])
  now.mode = "yolo"
  watch.after({ type: "text-delta", text: "x" })
  await settled()
  expect(told).toEqual(["default"])
  watch.after({ type: "turn-end", task: {} } as HostEvent)
  await settled()
  expect(told).toEqual(["default"])
  watch.after({ type: "turn-end" } as HostEvent)
  await settled()
  expect(told).toEqual(["default", "yolo"])
})

test("nothing is sent while nobody listens, nor after it is closed", async () => {
  const { told, now, watch, settled } = watched()
  now.hidden = true
  watch.look()
  await settled()
  now.hidden = false
  watch.look()
  watch.close()
  await settled()
  watch.look()
  await settled()
  expect(told).toEqual([])
})
