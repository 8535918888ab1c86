// What a person has sent over a line that may break: each message is answered once, by what became of it.
import { expect, test } from "vitest"
import { KnownList } from "../../src/client/connect.ts"
import { HeldBack } from "../../src/client/held-back.ts"
import { rowsFrom, SessionSettings } from "../../src/client/remote-session.ts"
import { makeSends } from "../../src/client/sends.ts"
import type { History } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { LogRecord } from "../../src/model/record/record.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { SendAnswer } from "../../src/protocol/host.ts"
import type { HostListEvent } from "../../src/protocol/numbered-event.ts"
import type { SessionEventData } from "../../src/protocol/over-http.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"

/** A tree in which every entry is a message with the text of its name. */
const NAMED = {
  rowOf: (entry: EntryId) => entry,
  record: (row: unknown) => ({ type: "message", content: [{ type: "text", text: `text of ${String(row)}` }] }),
} as unknown as History

function sending() {
  const sends = makeSends(NAMED)
  const answers: Record<string, SendAnswer> = {}
  return {
    answers,
    send: (text: string, turn: number, entry: string | null, steers?: false) => {
      const begun = { turn, entry: entry as EntryId | null, ...(steers === false && { steers }) }
      void sends.wait({ text }, begun).then((answer) => {
        answers[text] = answer
      })
    },
    tell: async (turn: number, event: object) => {
      sends.follow(event as HostEvent, turn)
      await Promise.resolve()
      return answers
    },
    miss: async (running?: number) => {
      sends.missed(running)
      await Promise.resolve()
      return answers
    },
  }
}

const end = (outcome: string, more = {}) => ({ type: "turn-end", outcome, ...more })

test.each([
  [end("done"), { outcome: "done", entry: "e1" }],
  [end("stopped"), { outcome: "stopped", entry: "e1" }],
  [end("withdrawn"), { outcome: "withdrawn", input: { text: "go" } }],
  [
    end("failed", { message: "No key.", advice: "Set one." }),
    { outcome: "failed", message: "No key.", advice: "Set one." },
  ],
  [end("failed"), { outcome: "failed", message: "It failed.", advice: "" }],
])("a prompt is answered by the end of its turn: %j", async (event, answer) => {
  const { send, tell } = sending()
  send("go", 2, "e1")
  expect(await tell(1, event)).toEqual({})
  expect(await tell(2, { ...event, task: { session: "s" } })).toEqual({})
  expect(await tell(2, event)).toEqual({ go: answer })
})

test("an end that comes before the answer to what began it counts too", async () => {
  const { send, tell, answers } = sending()
  await tell(3, end("done"))
  send("go", 3, "e1")
  send("later", 4, "e2")
  await Promise.resolve()
  expect(answers).toEqual({ go: { outcome: "done", entry: "e1" } })
})

test("what is typed meanwhile is answered when the model has got it, the oldest first", async () => {
  const { send, tell } = sending()
  send("text of s1", 1, null)
  send("text of s2", 1, null)
  expect(await tell(1, { type: "steer-given", entry: "s1" })).toEqual({
    "text of s1": { outcome: "steered", entry: "s1" },
  })
})

test("what is taken back is the newest of that text", async () => {
  const { send, tell, answers } = sending()
  send("a", 1, null)
  send("b", 1, null)
  await tell(1, { type: "steer-withdrawn", text: "b" })
  expect(answers).toEqual({ b: { outcome: "withdrawn", input: { text: "b" } } })
})

test("what is typed too late begins the next turn; if the turn did not end well, it comes back", async () => {
  const { send, tell } = sending()
  send("late", 1, null)
  expect(await tell(1, end("done"))).toEqual({})
  await tell(2, { type: "turn-start", entry: "e2", text: "late" })
  expect(await tell(2, end("done"))).toEqual({ late: { outcome: "done", entry: "e2" } })
  const other = sending()
  other.send("late", 1, null)
  expect(await other.tell(1, end("failed"))).toEqual({ late: { outcome: "withdrawn", input: { text: "late" } } })
})

test("when events were missed, what belongs to no turn that runs was stopped", async () => {
  const { send, miss } = sending()
  send("old", 1, "e1")
  send("new", 2, "e2")
  expect(await miss(2)).toEqual({ old: { outcome: "stopped", entry: "e1" } })
  expect(await miss()).toHaveProperty("new", { outcome: "stopped", entry: "e2" })
})

const told = (turn: number, type: HostEvent["type"]) => ({ turn, event: { type } }) as SessionEventData

test("while a move is in progress, what its turn still says is held back: for good if it is made", () => {
  const held = new HeldBack()
  const ended = held.begin(3)
  expect([
    held.holds(told(3, "text-delta")),
    held.holds(told(2, "tool-end")),
    held.holds(told(4, "text-delta")),
  ]).toEqual([true, true, false])
  expect([held.holds(told(3, "turn-end")), held.hides(3), held.hides(4)]).toEqual([false, true, false])
  expect(ended(true)).toEqual([])
  expect([held.holds(told(3, "text-delta")), held.holds(told(4, "text-delta"))]).toEqual([true, false])
})

test("and delivered after all if it is refused, once no other move is in progress", () => {
  const held = new HeldBack()
  const [first, second] = [held.begin(3), held.begin(3)]
  held.holds(told(3, "text-delta"))
  expect(first(false)).toEqual([])
  expect(second(false)).toEqual([told(3, "text-delta")])
  expect(held.holds(told(3, "text-delta"))).toBe(false)
  const third = held.begin(3)
  held.holds(told(3, "text-delta"))
  held.clear()
  expect(third(false)).toEqual([])
})

test("what changed in the list while nobody listened is reported, once", () => {
  const known = new KnownList()
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, title: "" }) as unknown as SessionListing) as [
    SessionListing,
    SessionListing,
    SessionListing,
  ]
  known.learn([a, b])
  known.follow({ type: "session-changed", session: c })
  known.follow({ type: "session-removed", session: a.id })
  const renamed = { ...c, title: "new" }
  const changes: HostListEvent[] = [
    { type: "session-changed", session: renamed },
    { type: "session-removed", session: b.id },
  ]
  expect(known.changes([renamed])).toEqual(changes)
  expect(known.changes([renamed])).toEqual([])
})

test("labels and settings are as the last record of each says, the newest label first", () => {
  const settings = new SessionSettings()
  settings.startOver({ labels: { e1: "one" }, config: { title: "Old", theme: "dark" } })
  const label = (entry: string, name: string) => settings.take({ type: "label", entry, name } as LogRecord)
  label("e2", "two")
  label("e1", "uno")
  expect([...settings.labels]).toEqual([
    ["e1", "uno"],
    ["e2", "two"],
  ])
  label("e1", "")
  settings.take({ type: "config", key: "title", value: "New" } as LogRecord)
  settings.take({ type: "config", key: "theme", value: null } as LogRecord)
  settings.take(undefined)
  expect([[...settings.labels.keys()], [...settings.config]]).toEqual([["e2"], [["title", "New"]]])
  expect([rowsFrom(undefined, 2), rowsFrom(7 as never, 2)]).toEqual([[], [7, 8]])
})

test("a prompt that another agent has not recorded yet is answered by the end of its turn as well", async () => {
  const { send, tell } = sending()
  send("go", 2, null, false)
  const failed = { outcome: "failed", message: "No key.", advice: "Set one." }
  expect(await tell(2, end("failed", { message: "No key.", advice: "Set one." }))).toEqual({ go: failed })
  send("again", 3, null, false)
  await tell(3, { type: "turn-start", entry: "e3", text: "again" })
  expect(await tell(3, end("done"))).toMatchObject({ again: { outcome: "done", entry: "e3" } })
})
