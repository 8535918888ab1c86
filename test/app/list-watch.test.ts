// Who listens to the list of sessions hears of what happened while they listened, and of nothing else.
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { type ListWatch, watchList } from "../../src/app/library/list-watch.ts"
import type { HostListEvent } from "../../src/protocol/numbered-event.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"

const listing = (id: string) => ({ id, title: id }) as SessionListing

/** Lists that come when they are let go, in any order. */
function lists(...answers: string[][]) {
  const gates = answers.map(() => {
    let open = () => {}
    const opened = new Promise<void>((settle) => {
      open = settle
    })
    return { open, opened }
  })
  let asked = 0
  const list = async () => {
    const turn = Math.min(asked++, answers.length - 1)
    await gates[turn]?.opened
    return (answers[turn] ?? []).map(listing)
  }
  return { list, open: (turn: number) => gates[turn]?.open() }
}

/** Leaves while the first look is under way. */
async function comeAndGo(watched: ListWatch): Promise<void> {
  const leave = watched.on(() => {})
  await setImmediate()
  leave()
}

test("a look from before everybody left says nothing to who comes after", async () => {
  const { list, open } = lists(["old"], ["old", "new"], ["old"])
  const watched = watchList({ list, every: 1, now: Date.now })
  await comeAndGo(watched)
  const events: HostListEvent[] = []
  let heard = () => {}
  const removed = new Promise<void>((settle) => {
    heard = settle
  })
  const leave = watched.on((event) => {
    events.push(event)
    heard()
  })
  open(1)
  await setImmediate()
  open(0)
  await watched.ready()
  await setImmediate()
  expect(events).toEqual([])
  open(2)
  await removed
  expect(events).toEqual([{ type: "session-removed", session: "new" }])
  leave()
})

test("who comes while a look of nobody's is under way is ready only after their own", async () => {
  const { list, open } = lists(["a"], ["a", "b"])
  const watched = watchList({ list, every: 60_000, now: Date.now })
  await comeAndGo(watched)
  const leave = watched.on(() => {})
  let ready = false
  const waited = watched.ready().then(() => {
    ready = true
  })
  open(0)
  await setImmediate()
  expect(ready).toBe(false)
  open(1)
  await waited
  leave()
})

test("a list that cannot be read is read again at the next look", async () => {
  let asked = 0
  const list = async () => {
    if (++asked === 1) throw new Error("not now")
    return asked < 3 ? [] : [listing("a")]
  }
  const watched = watchList({ list, every: 1, now: Date.now })
  const event = await new Promise<HostListEvent>((settle) => watched.on(settle))
  expect(event).toEqual({ type: "session-changed", session: listing("a") })
  watched.close()
})
