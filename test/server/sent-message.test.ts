// What is hard to time with a real turn: a session that reports what the test says.
import { expect, test } from "vitest"
import { NONE } from "../../src/history/tree/tree.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { SendAnswer } from "../../src/protocol/host.ts"
import type { Hub } from "../../src/server/live/hub.ts"
import { sendMessage } from "../../src/server/routes/sent-message.ts"

const END = { type: "turn-end", outcome: "done" } as HostEvent
const start = (entry: string) => ({ type: "turn-start", entry, text: "hi" }) as HostEvent
const given = (entry: string) => ({ type: "steer-given", entry }) as HostEvent
const answer = (outcome: string, entry: string) => ({ outcome, entry }) as SendAnswer

/** `running`: the turn that runs when the message is sent; `next`: the one that the message starts otherwise. */
function sent({ running, next = 1 }: { running?: number; next?: number }) {
  const listeners = new Set<(told: object) => void>()
  const tell = (turn: number, event: HostEvent) => {
    for (const listener of listeners) listener({ turn, event })
  }
  let settle: (answer: SendAnswer) => void = () => undefined
  const session = {
    history: {},
    head: NONE,
    get work() {
      return this
    },
    live: () => ({ turn: running ?? next }),
    send() {
      if (running !== undefined) tell(running, { type: "steer-queued", text: "hi" })
      return new Promise<SendAnswer>((each) => (settle = each))
    },
  }
  const hub = {
    session,
    state: () => ({ turn: running ?? 0 }),
    on(listener: (told: object) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Hub
  const heard: string[] = []
  const message = sendMessage(hub, { text: "hi" }, {}, ({ turn, event }) => heard.push(`${turn} ${event.type}`))
  return { ...message, tell, heard, settle: (each: SendAnswer) => settle(each), listeners }
}

test("a message that comes too late for the last step of a turn is answered with the turn that it starts", async () => {
  const { tell, settle, begun, ended, heard, listeners } = sent({ running: 4 })
  expect(await begun).toMatchObject({ turn: 4, steers: true })
  tell(4, END)
  tell(5, start("mine"))
  tell(5, END)
  settle(answer("done", "mine"))
  expect(await ended).toMatchObject({ turn: 5, outcome: "done", entry: "mine" })
  expect(heard).toEqual(["4 steer-queued", "4 turn-end", "5 turn-start", "5 turn-end"])
  expect(listeners.size).toBe(0)
})

test("a message that waits behind another one is answered with the turn that it steers", async () => {
  const { tell, settle, ended } = sent({ running: 4 })
  tell(4, END)
  tell(5, start("the other"))
  tell(5, given("mine"))
  settle(answer("steered", "mine"))
  await Promise.resolve()
  tell(5, END)
  tell(6, start("another"))
  expect(await ended).toMatchObject({ turn: 5, outcome: "steered", entry: "mine", turnOutcome: "done" })
})

test("a turn that was stopped before and reports its start late is not the one of this message", async () => {
  const { tell, settle, begun, ended, heard } = sent({ next: 3 })
  tell(2, start("old"))
  tell(3, start("mine"))
  expect(await begun).toEqual({ turn: 3, entry: "mine", steers: false })
  tell(3, END)
  settle(answer("done", "mine"))
  expect(await ended).toMatchObject({ turn: 3 })
  expect(heard).toEqual(["3 turn-start", "3 turn-end"])
})

test("a sub-agent's end is not the end of the turn", async () => {
  const { tell, settle, ended } = sent({ running: 4 })
  tell(4, given("mine"))
  settle(answer("steered", "mine"))
  tell(4, { ...END, outcome: "failed", task: { session: "s", call: "c", depth: 1 } } as HostEvent)
  tell(4, END)
  expect(await ended).toMatchObject({ turn: 4, turnOutcome: "done" })
})

test("a turn that ends without beginning has a number too", async () => {
  const { tell, settle, begun, ended } = sent({ next: 3 })
  tell(3, { type: "turn-end", outcome: "failed" } as HostEvent)
  settle({ outcome: "failed", message: "No.", advice: "" })
  expect(await begun).toBeUndefined()
  expect(await ended).toMatchObject({ turn: 3, outcome: "failed" })
})
