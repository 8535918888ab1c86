// What is on the screen after events of the host, block by block.
import { expect, test } from "vitest"
import type { EntryId, SessionId } from "../../src/model/id.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import { makeFolded } from "../../src/tui/conversation/block.ts"
import { makeConversation } from "../../src/tui/conversation/conversation.ts"
import { makeTranscript } from "../../src/tui/conversation/transcript.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { newSession } from "../session/new-session.ts"

async function stage() {
  const { session } = await newSession()
  const clock = { now: 0 }
  const theme = makeTheme({ colours: false })
  const folded = makeFolded("ctrl+o")
  const transcript = makeTranscript(theme, () => 0)
  const conversation = makeConversation({
    history: session.history,
    theme,
    transcript,
    folded,
    now: () => clock.now,
    left: () => undefined,
  })
  const tell = (...events: HostEvent[]) => {
    for (const event of events) conversation.event(event)
  }
  const settled = () => transcript.settle(60).lines.map(({ text }) => text)
  return { clock, tell, settled, folded, live: () => transcript.live(60, 20) }
}

const task = { session: "s" as SessionId, call: "t", depth: 1 }
const start = (call: string, name: string, title: string): HostEvent => ({
  type: "tool-start",
  call,
  name,
  title,
  input: {},
})
const end = (call: string, name: string): HostEvent => ({
  type: "tool-end",
  call,
  name,
  output: "",
  error: false,
  files: [],
})

test("a sub-agent is one line: how many calls it made, and what it does now", async () => {
  const { tell, live, settled } = await stage()
  tell(start("t", "Task", "look around"))
  expect(live()).toEqual(["● Task look around"])
  tell({ ...start("1", "Read", "Read a.ts"), task }, { ...start("2", "Grep", "x"), task })
  expect(live()).toEqual(["● Task look around · 2 calls, Grep x"])
  tell({ ...start("3", "Read", "Read b.ts"), task })
  expect(live()).toEqual(["● Task look around · 3 calls, Read b.ts"])
  tell({ type: "reasoning-delta", text: "hm", task })
  expect(live()).toEqual(["● Task look around · 3 calls, thinks"])
  tell({ type: "text-delta", text: "So", task }, { ...end("3", "Read"), task })
  expect(live()).toEqual(["● Task look around · 3 calls, writes"])
  tell({ type: "approval-end", approval: "a", answer: "once", task })
  expect(live()).toEqual(["● Task look around · 3 calls, writes"])
  tell(end("t", "Task"))
  expect(settled()).toEqual(["✓ Task look around · 1 line"])
  tell({ type: "text-delta", text: "late", task })
  expect(live()).toEqual([])
})

test("the time that a call waits for the person is not its own", async () => {
  const { clock, tell, settled, live } = await stage()
  tell(start("1", "Bash", "npm test"))
  clock.now = 60_000
  tell({
    type: "approval-start",
    approval: "a",
    call: "1",
    name: "Bash",
    action: { kind: "command", command: "npm test", cwd: "/" },
    title: "npm test",
    grants: [],
    warnings: [],
  } as unknown as HostEvent)
  expect(live()).toEqual(["● Bash npm test · waiting for you"])
  tell({ type: "approval-end", approval: "a", answer: "once" })
  clock.now = 64_000
  tell(end("1", "Bash"))
  expect(settled()).toEqual(["✓ Bash npm test · 4.0 s"])
})

test("a request that is tried again says why, and says the same reason only once", async () => {
  const { tell, settled } = await stage()
  tell({ type: "retry", attempt: 1, waitMs: 400, problem: "x answered 529: Overloaded" })
  tell({ type: "retry", attempt: 2, waitMs: 2_400, problem: "x answered 529: Overloaded" })
  tell({ type: "retry", attempt: 3, waitMs: 4_600, problem: "Cut off!" })
  expect(settled().filter((line) => line !== "")).toEqual([
    "! x answered 529: Overloaded. Trying again in 1 s.",
    "! The same problem again. Trying again in 2 s.",
    "! Cut off! Trying again in 5 s.",
  ])
})

test("up to five files that snapshots do not cover are named, and the others counted", async () => {
  const { tell, settled } = await stage()
  const files = [1, 2, 3, 4, 5, 6].map((n) => ({ path: `${n}`, because: "too large" as const }))
  tell({ type: "not-covered", files: files.slice(0, 5) }, { type: "not-covered", files })
  expect(settled().join("\n")).toBe(
    [
      "! Not covered by snapshots: 1 (too large), 2 (too large), 3",
      "  (too large), 4 (too large), 5 (too large)",
      "! Not covered by snapshots: 1 (too large), 2 (too large), 3",
      "  (too large), 4 (too large), 5 (too large) and 1 more",
    ].join("\n"),
  )
})

test("a compaction that was not made is explained, unless the person asked for it and gets the answer", async () => {
  const { tell, settled } = await stage()
  const failed = { type: "compaction-end" as const, entry: null, messages: 0, missing: [] }
  tell({ ...failed, cause: "person", problem: "no room" }, { ...failed, cause: "threshold" })
  expect(settled()).toEqual([])
  tell({ ...failed, cause: "threshold", problem: "no room" })
  expect(settled()).toEqual(["! The conversation was not compacted: no room"])
})

test("each message typed meanwhile is shown when the agent gets it, in order", async () => {
  const { tell, settled } = await stage()
  tell({ type: "steer-queued", text: "one" }, { type: "steer-queued", text: "two" })
  expect(settled()).toEqual([])
  tell({ type: "steer-given", entry: "e" as EntryId })
  expect(settled()).toEqual(["↳ one"])
  tell({ type: "steer-given", entry: "e" as EntryId }, { type: "steer-given", entry: "e" as EntryId })
  expect(settled()).toEqual(["", "↳ two"])
})

test("a long list of tasks shows those around the first open one, and how many are left out", async () => {
  const { tell, settled } = await stage()
  const todos = Array.from({ length: 20 }, (_, n) => ({
    text: `step ${n + 1}`,
    status: n < 9 ? ("done" as const) : n === 9 ? ("doing" as const) : ("pending" as const),
  }))
  tell({ type: "todos", todos })
  expect(settled()).toEqual([
    "  ✓ step 8",
    "  ✓ step 9",
    "  ▸ step 10",
    ...Array.from({ length: 9 }, (_, n) => `  ○ step ${n + 11}`),
    "  … 8 more",
  ])
  tell({ type: "todos", todos: todos.slice(0, 12) })
  expect(settled()).toHaveLength(13)
})

test("a prompt longer than 24 lines is cut, and says by how much", async () => {
  const { tell, settled } = await stage()
  const text = (length: number) => Array.from({ length }, (_, n) => `line ${n + 1}`).join("\n")
  tell({ type: "turn-start", entry: "e" as EntryId, text: text(24) })
  expect(settled()).toEqual(["❯ line 1", ...Array.from({ length: 23 }, (_, n) => `  line ${n + 2}`)])
  tell({ type: "turn-start", entry: "e" as EntryId, text: text(26) })
  expect(settled().slice(-2)).toEqual(["  line 24", "  … 2 more lines"])
})

test("the whole note of an agent that went back can be unfolded", async () => {
  const { tell, settled, folded } = await stage()
  const note = Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\n")
  const entry = "01890a5d-ac96-7000-8000-000000000000" as EntryId
  tell({ type: "backtracked", checkpoint: 2, discards: 3, note, returnedTo: null, entry })
  expect(settled().join("\n")).toContain("line 0")
  expect(folded.items).toEqual([{ title: "Note from future", text: note }])
})
