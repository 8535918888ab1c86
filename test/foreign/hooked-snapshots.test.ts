// Snapshots that hooks of another agent took: they name that agent's ids, and are read as snapshots of entries.
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import { HookLog } from "../../src/foreign/log/hook-log.ts"
import { OurLog } from "../../src/foreign/log/our-log.ts"
import { ourLogFile } from "../../src/foreign/log/our-paths.ts"
import { claudeCode } from "../../src/formats/claude-code/format.ts"
import { codex } from "../../src/formats/codex/format.ts"
import { opencode } from "../../src/formats/opencode/format.ts"
import type { Format } from "../../src/formats/port.ts"
import { callSpans } from "../../src/history/files/call-spans.ts"
import { uncoveredRounds } from "../../src/history/files/uncovered-rounds.ts"
import { openCalls } from "../../src/history/files/unended.ts"
import { makeIds } from "../../src/model/id.ts"
import { type HookNames, KIND, type SnapshotRecord } from "../../src/model/record/record.ts"
import { rowsOf } from "../formats/read-session.ts"

const SAMPLE = join(import.meta.dirname, "../formats/claude-code/samples/tools-full.v197.jsonl")
const ids = makeIds({ now: () => Date.now(), random: (bytes) => void crypto.getRandomValues(bytes) })
/** Of the sample: its first prompt, which calls Write, and the one with two commands at once. */
const FIRST = { prompt: "47f6a96b-9a6d-4df6-b83f-1e811ba9f024", call: "toolu_fake_21424_1" }
const PARALLEL = { prompt: "0c3adda0", calls: ["toolu_fake_22390_1", "toolu_fake_22390_2"] as const }

let folder: string
let file: string
let format: Format = claudeCode
let lines: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-hooked-"))
  file = join(folder, "1b8e8fd8-8286-4a33-b4d9-31baee5cb3b8.jsonl")
  format = claudeCode
  cpSync(SAMPLE, file)
  lines = readFileSync(file, "utf8").split("\n")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function open(): Promise<ForeignLog> {
  const opened = await format.open({ path: file, main: file })
  return new ForeignLog(opened, { agent: format.agent, path: file, home: join(folder, "home"), now: Date.now })
}

/** As the hook does: in a process of its own, which knows the session's id and no rows. */
async function hook(when: "before" | "after", names: HookNames, path?: string): Promise<void> {
  const { header } = await format.open({ path: file, main: file })
  const at = new Date().toISOString()
  const since = when === "after" && names.call !== undefined ? { since: { snapshot: "b".repeat(40), at } } : {}
  const changes = path === undefined ? {} : { changes: [{ path, change: "modified" }] }
  const base = { id: ids.record(), type: "snapshot", at, snapshot: "a".repeat(40), entry: null, when } as const
  const options = { home: join(folder, "home"), agent: format.agent, id: header.id, now: Date.now }
  await HookLog.use({ ...options, header: () => header }, (log) =>
    log.append({ ...base, ...since, ...changes, hook: names }),
  )
}

async function around(names: HookNames, path?: string): Promise<void> {
  await hook("before", names)
  await hook("after", names, path)
}

/** What comes in the order of rows: entries by the first letters of their uuid, snapshots with their entry. */
function order(log: ForeignLog): string[] {
  return Array.from({ length: log.history.size }, (_, row) => {
    const record = log.history.record(row)
    if (record?.type !== "snapshot") return log.history.id(row).slice(0, 8)
    return `${record.when} ${record.call ?? "round"} of ${record.entry?.slice(0, 8)}`
  })
}

const snapshots = (log: ForeignLog) => order(log).filter((each) => each.includes(" of "))

test("a hook knows whether there is a snapshot of all files to build on", async () => {
  const { header } = await format.open({ path: file, main: file })
  const options = {
    home: join(folder, "home"),
    agent: format.agent,
    id: header.id,
    now: Date.now,
    header: () => header,
  }
  const base = { type: "snapshot", at: "", snapshot: "a".repeat(40), entry: null, when: "before", hook: FIRST } as const
  await HookLog.use(options, async (log) => {
    expect(log.begun).toBe(false)
    await log.append({ ...base, id: ids.record(), paths: ["new.txt"] })
    expect(log.begun).toBe(false)
    await log.append({ ...base, id: ids.record() })
    expect(log.begun).toBe(true)
  })
})

test("a snapshot belongs to the entry with the call or the prompt, and comes after it", async () => {
  await hook("before", { prompt: FIRST.prompt })
  await around(FIRST, "new.txt")
  await hook("after", { prompt: FIRST.prompt })
  const log = await open()
  const all = order(log)
  const at = all.indexOf("before round of fb817713")
  expect(all[at - 1]).toBe("fb817713")
  const call = all.indexOf("before toolu_fake_21424_1 of 1d835445")
  expect(all.slice(call - 1, call + 4)).toEqual([
    "1d835445",
    "before toolu_fake_21424_1 of 1d835445",
    "after toolu_fake_21424_1 of 1d835445",
    "after round of fb817713",
    "819cd5a2",
  ])
  const [span] = callSpans(log.history)
  expect(span).toMatchObject({ call: FIRST.call, changes: [{ path: "new.txt" }], whole: true })
  expect(log.history.id(span?.entry ?? 0)).toMatch(/^1d835445/)
  await log.close()
})

test("calls at the same time overlap as they did, whatever the order of the lines", async () => {
  const [one, two] = PARALLEL.calls
  await hook("before", { call: one })
  await hook("before", { call: two })
  await hook("after", { call: two }, "b.txt")
  await hook("after", { call: one }, "a.txt")
  const log = await open()
  expect(snapshots(log)).toEqual([
    `before ${one} of 5da89252`,
    `before ${two} of 8a49ca16`,
    `after ${two} of 8a49ca16`,
    `after ${one} of 5da89252`,
  ])
  await log.close()
})

test("a round is covered as far as hooks reported its calls: one that they missed is not", async () => {
  const [first, second] = PARALLEL.calls
  await around({ call: first })
  const log = await open()
  const { history } = log
  const since = history.prompt(callSpans(history)[0]?.entry ?? 0)
  const missed = () => uncoveredRounds(history, { since, from: history.head, to: history.head })[0]?.calls
  expect([...(missed() ?? [])]).toEqual([[second, { kind: "command" }]])
  await log.close()
  await around({ call: second })
  const later = await open()
  expect(uncoveredRounds(later.history, { since, from: later.history.head, to: later.history.head })).toEqual([])
  await later.close()
})

test("a call of a sub-agent belongs to the round that started it", async () => {
  const task = { prompt: "9df0eb00", call: "toolu_fake_22174_1" }
  const prompt = promptOf("9df0eb00")
  await hook("before", { ...task, prompt })
  await around({ prompt, call: "toolu_of_the_sub_agent", agent: "a4711" }, "by-agent.txt")
  await hook("after", { ...task, prompt })
  const log = await open()
  expect(snapshots(log)).toEqual([
    "before toolu_fake_22174_1 of b92c7e79",
    "before toolu_of_the_sub_agent of 7b0eea64",
    "after toolu_of_the_sub_agent of 7b0eea64",
    "after toolu_fake_22174_1 of b92c7e79",
  ])
  expect(callSpans(log.history).flatMap(({ changes }) => changes)).toContainEqual(
    expect.objectContaining({ path: "by-agent.txt" }),
  )
  await log.close()
})

test("what names a call that was never written belongs to its own round, not to the next", async () => {
  await hook("before", { prompt: FIRST.prompt })
  await around({ call: "toolu_never_written" }, "lost.txt")
  await hook("before", { prompt: promptOf("072b3905") })
  const log = await open()
  expect(snapshots(log)).toEqual([
    "before round of fb817713",
    "before toolu_never_written of fb817713",
    "after toolu_never_written of fb817713",
    "before round of db928984",
  ])
  const all = order(log)
  expect(all.indexOf("after toolu_never_written of fb817713")).toBeLessThan(all.indexOf("db928984"))
  await log.close()
})

test("a snapshot that comes before its line is not shown, and is in its place once the line is there", async () => {
  const upTo = lines.findIndex((line) => line.includes(FIRST.call))
  writeFileSync(file, `${lines.slice(0, upTo).join("\n")}\n`)
  await hook("before", FIRST)
  const early = await open()
  expect(snapshots(early)).toEqual([])
  await early.close()
  const live = await open()
  appendFileSync(file, `${lines.slice(upTo, upTo + 1).join("\n")}\n`)
  live.refresh()
  expect(snapshots(live)).toEqual([`before ${FIRST.call} of 1d835445`])
  await hook("after", FIRST, "new.txt")
  appendFileSync(file, lines.slice(upTo + 1).join("\n"))
  await live.close()
  const whole = await open()
  const all = order(whole)
  expect(all.indexOf(`after ${FIRST.call} of 1d835445`)).toBe(all.indexOf("819cd5a2") - 1)
  await whole.close()
})

test("one that comes late is at the end in that process, with its entry, and in its place at the next open", async () => {
  const live = await open()
  await around(FIRST, "new.txt")
  live.refresh()
  expect(order(live).slice(-2)).toEqual([`before ${FIRST.call} of 1d835445`, `after ${FIRST.call} of 1d835445`])
  await around({ call: PARALLEL.calls[0] }, "a.txt")
  await live.close()
  const next = await open()
  expect(snapshots(next)).toEqual([
    `before ${FIRST.call} of 1d835445`,
    `after ${FIRST.call} of 1d835445`,
    `before ${PARALLEL.calls[0]} of 5da89252`,
    `after ${PARALLEL.calls[0]} of 5da89252`,
  ])
  await next.close()
})

test("with an index it is the same as without one, even if hooks have run since", async () => {
  await around(FIRST, "new.txt")
  const first = await open()
  const rows = rowsOf(first.history)
  await first.close()
  const second = await open()
  expect(rowsOf(second.history)).toEqual(rows)
  await second.close()
  await around({ call: PARALLEL.calls[1] }, "b.txt")
  const third = await open()
  expect(snapshots(third)).toHaveLength(4)
  expect(third.history.size).toBe(rows.length + 2)
  await third.close()
})

test("Codex names a turn and a call in the same way", async () => {
  const name = "rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73dddd.jsonl"
  file = join(folder, name)
  format = codex
  cpSync(join(import.meta.dirname, "../formats/codex/samples/sub-agent", name), file)
  const prompt = "01a1e0fd-55b0-7dd1-93cc-85044583cfdf"
  await hook("before", { prompt })
  await around({ prompt, call: "call_2_0_2" }, "a.txt")
  await hook("after", { prompt })
  const log = await open()
  const spans = callSpans(log.history)
  expect(spans).toMatchObject([{ call: "call_2_0_2", changes: [{ path: "a.txt" }] }])
  const record = log.history.record(spans[0]?.entry ?? 0)
  expect(record).toMatchObject({ role: "assistant", content: [{ type: "tool-call", call: "call_2_0_2" }] })
  const round = log.history.record(log.history.prompt(spans[0]?.entry ?? 0))
  expect(snapshots(log).filter((each) => each.includes("round"))).toEqual([
    `before round of ${round?.id.slice(0, 8)}`,
    `after round of ${round?.id.slice(0, 8)}`,
  ])
  await log.close()
})

test("what a sub-agent of Codex changes late, under ids of its own, is a change of the round that started it, at once", async () => {
  const name = "rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73dddd.jsonl"
  file = join(folder, name)
  format = codex
  cpSync(join(import.meta.dirname, "../formats/codex/samples/sub-agent", name), file)
  const [second, third] = ["01a1e0fd-55b0-7dd1-93cc-85044583cfdf", "01a1e0fd-6a12-7611-9d5b-2bb00114b37d"]
  const late = { prompt: "01a1e0fd-56b0-7000-8000-000000000000", call: "call_9" }
  const known = { ...late, agent: "01a1e0fd-56ad-7321-a0e4-7be3a2833e42" }
  await hook("before", { prompt: second })
  await around({ prompt: second, call: "call_2_0_2" }, "a.txt")
  await hook("after", { prompt: second })
  await hook("before", { prompt: third })
  await hook("before", known)
  const log = await open()
  const round = (entry: string | null | undefined) => log.history.round(log.history.rowOf(entry ?? ""))
  expect(openCalls(log.history).map(({ record }) => [record.call, round(record.entry)])).toEqual([["call_9", 2]])
  await hook("after", known, "sub.txt")
  // Whose task it works on is not in this file: it belongs to the last round.
  await around({ ...late, call: "call_10", agent: "a sub-agent of the sub-agent" }, "deep.txt")
  log.refresh()
  const spans = callSpans(log.history).map(({ call, entry, changes }) => [
    call,
    log.history.round(entry),
    changes[0]?.path,
  ])
  const expected = [
    ["call_2_0_2", 2, "a.txt"],
    ["call_9", 2, "sub.txt"],
    ["call_10", 3, "deep.txt"],
  ]
  expect(spans).toEqual(expected)
  expect(openCalls(log.history)).toEqual([])
  await log.close()
  const again = await open()
  expect(callSpans(again.history).map(({ call }) => call)).toEqual(expected.map(([call]) => call))
  await again.close()
})

test("opencode names messages and calls", async () => {
  file = join(folder, "export.json")
  format = opencode
  cpSync(join(import.meta.dirname, "../formats/opencode/samples/export.json"), file)
  const prompt = "msg_1e0f542ee001G0BL8rYSW82PLQ"
  await hook("before", { prompt })
  await around({ prompt, call: "call_2_0_3" }, "a.txt")
  const log = await open()
  const [span] = callSpans(log.history)
  expect(span).toMatchObject({ call: "call_2_0_3", changes: [{ path: "a.txt" }] })
  expect(log.history.record(span?.entry ?? 0)).toMatchObject({ role: "assistant" })
  const round = log.history.record(log.history.prompt(span?.entry ?? 0))
  expect(snapshots(log)[0]).toBe(`before round of ${round?.id.slice(0, 8)}`)
  await log.close()
})

test("a hook's snapshot without usable names is kept and shown as nobody's", async () => {
  const log = await open()
  const { header } = log
  await log.close()
  const bad = { hook: { prompt: 7 } } as unknown as SnapshotRecord
  const ours = new OurLog(ourLogFile(join(folder, "home"), "claude-code", header.id), header, Date.now)
  const base = { id: ids.record(), type: "snapshot", at: "", snapshot: "a".repeat(40), entry: null, when: "before" }
  await ours.append([{ ...base, ...bad }], null)
  await ours.close()
  const again = await open()
  const record = again.history.record(again.history.last(KIND.snapshot))
  expect(record).toMatchObject({ type: "snapshot", entry: null })
  await again.close()
})

function promptOf(start: string): string {
  for (const line of lines) {
    const id = new RegExp(`"promptId":"(${start}[^"]*)"`).exec(line)?.[1]
    if (id !== undefined) return id
  }
  throw new Error(`no prompt ${start}`)
}
