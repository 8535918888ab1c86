// Where sessions of Codex are found, what a list shows of them, and who works on one.
import { spawn } from "node:child_process"
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import type { Glance, SessionPlace } from "../../../src/formats/port.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { placeOf, readSession, temporaryFolder } from "../read-session.ts"
import { line, meta, OTHER, rolloutPath, SEGMENT, said, THREAD, turn, write } from "./rollouts.ts"

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path).subarray(0, 64 * 1024)
  } catch {
    return undefined
  }
}

function glanceAt(place: SessionPlace): Glance | undefined {
  const bytes = readFileSync(place.main)
  return codex.glance(place, { head: bytes.subarray(0, 4096), tail: bytes.subarray(-4096), read })
}

test("a thread is listed once, with the file that grows; archived ones too", () => {
  const home = temporaryFolder()
  const first = write(rolloutPath(home), meta())
  const last = write(rolloutPath(home, THREAD, SEGMENT, "17"), meta())
  const name = `rollout-2026-11-01T10-00-00-${OTHER}.jsonl`
  const archived = write(join(home, "archived_sessions", name), meta(OTHER))
  write(join(home, "sessions", "2026", "11", "16", "notes.jsonl"), "x")
  const expected = [
    { path: first, main: last },
    { path: archived, main: archived },
  ]
  expect([...codex.find({ home: "/nowhere", env: { CODEX_HOME: home } })]).toEqual(expected)
})

test("by default Codex's folder is in the home folder", () => {
  const home = temporaryFolder()
  const path = write(rolloutPath(join(home, ".codex")), meta())
  expect([...codex.find({ home, env: {} })]).toEqual([{ path, main: path }])
})

test("a list shows the folder, and the first prompt even after long instructions", () => {
  const path = write(
    rolloutPath(temporaryFolder()),
    meta(THREAD, { base_instructions: { text: "x".repeat(20_000) } }),
    said("user", "<environment_context>"),
    turn("fix the bug"),
  )
  expect(glanceAt({ path, main: path })).toEqual({
    name: THREAD,
    id: THREAD,
    cwd: "/home/you/project",
    title: "fix the bug",
  })
})

test("a list shows the name that a person gave a thread, the last one", () => {
  const home = temporaryFolder()
  const path = write(rolloutPath(home), meta(), turn("fix the bug"))
  const named = (id: string, name: string) => `${JSON.stringify({ id, thread_name: name })}\n`
  write(join(home, "session_index.jsonl"), named(THREAD, "old"), named(THREAD, "new"), named(OTHER, "another's"))
  expect(glanceAt({ path, main: path })?.title).toBe("new")
})

test("a sub-agent's thread says whose task it works on", () => {
  const path = write(rolloutPath(temporaryFolder(), OTHER), meta(OTHER, { parent_thread_id: THREAD }))
  expect(glanceAt({ path, main: path })?.from).toEqual({ name: THREAD, as: "task" })
})

test("a copy under another name, and a link, are the session too", async () => {
  const [home, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const path = write(rolloutPath(home), meta(), turn("one"))
  const copy = write(join(elsewhere, "copy.jsonl"), readFileSync(path, "utf8"))
  symlinkSync(path, join(elsewhere, "link.jsonl"))
  const { history } = await readSession(codex, path)
  for (const other of [copy, join(elsewhere, "link.jsonl")]) {
    const again = (await readSession(codex, other)).history
    expect([again.size, again.id(again.head)]).toEqual([history.size, history.id(history.head)])
  }
})

test.runIf(process.platform === "linux")("the process that has the file open for writing works on it", async () => {
  const path = write(rolloutPath(temporaryFolder()), meta(), turn("one"))
  const opened = await codex.open(placeOf(codex, path))
  expect(opened.holder()).toBeUndefined()
  const reader = openSync(path, "r")
  const handle = openSync(path, "a")
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore", handle] })
  const other = spawn("cat", { stdio: ["pipe", "ignore", "ignore", reader] })
  closeSync(handle)
  closeSync(reader)
  expect(opened.holder()).toEqual({ pid: child.pid })
  child.stdin?.end()
  await new Promise((resolve) => child.once("close", resolve))
  expect(opened.holder()).toBeUndefined()
  other.stdin?.end()
  await new Promise((resolve) => other.once("close", resolve))
})

test.runIf(process.platform === "linux")(
  "so does the one that holds the lock of its thread, and of no other",
  async () => {
    const home = temporaryFolder()
    const path = write(rolloutPath(home), meta(), turn("one"))
    const opened = await codex.open(placeOf(codex, path))
    const locks = join(home, "thread-writer-locks")
    mkdirSync(locks)
    const holds = async (thread: string) => {
      const lock = openSync(join(locks, `${thread}.lock`), "w+")
      const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore", lock] })
      closeSync(lock)
      const holder = opened.holder()
      child.stdin?.end()
      await new Promise((resolve) => child.once("close", resolve))
      return { holder, pid: child.pid }
    }
    expect((await holds("01a1e6ae-84fe-7192-8442-e2766c58b8d4")).holder).toBeUndefined()
    const { holder, pid } = await holds(opened.name)
    expect(holder).toEqual({ pid })
    expect(opened.holder()).toBeUndefined()
  },
)

test("a file that leads back to itself, or to a place outside, is read as far as it goes", async () => {
  const home = temporaryFolder()
  const base = (thread_id: unknown, end_byte_offset: unknown) => ({ history_base: { thread_id, end_byte_offset } })
  const bases = [base(THREAD, 10), base(OTHER, 5), base("../../../etc/passwd", 3), base(SEGMENT, -1), base(7, 1e300)]
  write(rolloutPath(home, OTHER), meta(OTHER, base(THREAD, 100)), turn("other"))
  for (const each of bases) {
    const { history } = await readSession(codex, write(rolloutPath(home), meta(THREAD, each), turn("one")))
    expect(history.round(history.head)).toBe(1)
  }
})

test("lines of any shape are damage, or entries of an unknown kind, and never fatal", async () => {
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`
  const odd = ["[1]", "null", "{}", '{"type":"response_item","payload":[]}', "{torn", deep]
  const payloads = [
    {},
    { type: 5 },
    { type: "message", role: "user", content: 9 },
    { type: "x_call" },
    { type: "x_output" },
  ]
  const path = write(
    rolloutPath(temporaryFolder()),
    meta(),
    ...odd.map((each) => `${each}\n`),
    ...payloads.map((each) => line("response_item", each)),
    line("compacted", { replacement_history: [5, { type: "message", role: "user", content: [null] }] }),
    line("event_msg", { type: "thread_rolled_back", num_turns: -1e300 }),
    line("turn_context", { model: 5 }),
    turn("one"),
  )
  const { history } = await readSession(codex, path)
  for (let row = 0; row < history.size; row++) {
    if (history.kind(row) !== KIND.damaged) expect(history.record(row)?.id).toBe(history.id(row))
  }
  expect(history.round(history.head)).toBe(2)
})

test.runIf(process.platform === "linux")("Codex's background process holds it only for a while", async () => {
  const path = write(rolloutPath(temporaryFolder()), meta(), turn("one"))
  const opened = await codex.open(placeOf(codex, path))
  const handle = openSync(path, "a")
  const words = ["-c", "read line", "codex", "app-server", "--managed-daemon"]
  const child = spawn("sh", words, { stdio: ["pipe", "ignore", "ignore", handle] })
  closeSync(handle)
  expect(opened.holder()).toEqual({ pid: child.pid, lingers: true })
  child.stdin?.end()
  await new Promise((resolve) => child.once("close", resolve))
})
