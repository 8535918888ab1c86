import { expect, test } from "vitest"
import { makeEventFeed, newEventCount } from "../../src/app/port/event-feed.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { NumberedEvent } from "../../src/protocol/numbered-event.ts"

const notice = (text: string): HostEvent => ({ type: "notice", level: "info", text })
const delta: HostEvent = { type: "text-delta", text: "a" }

function feed(trace: (event: HostEvent) => void = () => undefined) {
  let generation = 0
  const told = makeEventFeed({
    session: "session" as never,
    head: () => 0,
    generation: () => generation,
    count: newEventCount(),
    trace,
    before: () => undefined,
    passed: () => undefined,
  })
  return { ...told, rowsAnew: () => generation++ }
}

function ear() {
  const heard: NumberedEvent[] = []
  return { hear: (told: NumberedEvent) => void heard.push(told), events: () => heard.map(({ event }) => event), heard }
}

test("a notice that comes before anyone listens is kept for the first listener, and nothing else is", () => {
  const { emit, on } = feed()
  emit(notice("early"))
  emit(delta)
  const [first, second] = [ear(), ear()]
  on(first.hear)
  on(second.hear)
  emit(notice("later"))
  expect(first.events()).toEqual([notice("early"), notice("later")])
  expect(second.events()).toEqual([notice("later")])
  expect(first.heard.map(({ seq }) => seq)).toEqual([1, 2])
})

test("a listener that was removed hears nothing more", () => {
  const { emit, on } = feed()
  const { hear, events } = ear()
  const stop = on(hear)
  emit(delta)
  stop()
  emit(delta)
  expect(events()).toEqual([delta])
})

test("a trace has every event but the pieces of streams", () => {
  const traced: HostEvent[] = []
  const { emit } = feed((event) => traced.push(event))
  emit(delta)
  emit(notice("a"))
  expect(traced).toEqual([notice("a")])
})

test("all listeners get events in the order of their numbers, even if a listener causes the next event", () => {
  const { emit, on } = feed()
  on(({ event }) => event === delta && emit(notice("because of it")))
  const { hear, heard, events } = ear()
  on(hear)
  emit(delta)
  expect(events()).toEqual([delta, notice("because of it")])
  expect(heard.map(({ seq }) => seq)).toEqual([1, 2])
})

test("rebuilt rows are announced before anything that refers to them", () => {
  const { emit, on, rowsAnew } = feed()
  const { hear, events } = ear()
  on(hear)
  rowsAnew()
  emit(delta)
  emit(delta)
  expect(events()).toEqual([{ type: "rows-anew" }, delta, delta])
})
