// Files of other agents that are too much: a line of 500 MB, and a million branches on one entry.
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { isTwice, reportOn } from "../../src/cli/doctor/foreign-report.ts"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { ForeignLog } from "../../src/foreign/foreign-log.ts"
import { KIND } from "../../src/model/record/kind.ts"
import { testStore } from "../any-store.ts"

const SAMPLES = {
  pi: { sample: "pi/samples/branched.jsonl", to: ".pi/agent/sessions/--w--/a.jsonl" },
  claude: { sample: "claude-code/samples/plain-3turns.v2.1.119.jsonl", to: ".claude/projects/-w/a.jsonl" },
} as const
const MB = 1024 * 1024

let folder: string
let store: AnyStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-hostile-"))
  store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function create(to: string): { file: string; fd: number } {
  const file = join(folder, "person", to)
  mkdirSync(dirname(file), { recursive: true })
  return { file, fd: openSync(file, "w") }
}

test.each(["pi", "claude"] as const)(
  "a line of 500 MB in a session of %s is damage, and all around it is read",
  async (agent) => {
    const { sample, to } = SAMPLES[agent]
    const lines = readFileSync(join(import.meta.dirname, "../formats", sample), "utf8")
      .trimEnd()
      .split("\n")
    const half = Math.ceil(lines.length / 2)
    const { file, fd } = create(to)
    const before = `${lines.slice(0, half).join("\n")}\n`
    writeSync(fd, before)
    // A hole: it takes no room, and reads as zeros.
    ftruncateSync(fd, Buffer.byteLength(before) + 500 * MB)
    writeSync(fd, `\n${lines.slice(half).join("\n")}\n`, Buffer.byteLength(before) + 500 * MB)
    closeSync(fd)
    expect((await store.foreign.list()).map((session) => session.file)).toEqual([file])
    const most = process.resourceUsage().maxRSS
    const log = (await store.openFile(file)) as ForeignLog
    const rows = Array.from({ length: log.history.size }, (_, row) => row)
    const damaged = rows.filter((row) => log.history.kind(row) === KIND.damaged)
    expect(damaged.map((row) => [log.lineNumber(row), isTwice(log, row)])).toEqual([[half + 1, false]])
    expect(reportOn(log).prompts.path).toBeGreaterThan(0)
    expect(rows.every((row) => damaged.includes(row) || log.problem(row) === undefined)).toBe(true)
    // maxRSS counts in KB.
    expect(process.resourceUsage().maxRSS - most).toBeLessThan(400 * 1024)
    await log.close()
  },
)

test("a million branches on one entry are read, and there are a million ends", { timeout: 120_000 }, async () => {
  const branches = 1_000_000
  const [header] = readFileSync(join(import.meta.dirname, "../formats", SAMPLES.pi.sample), "utf8").split("\n", 1)
  const line = (n: number, parent: string) =>
    `{"type":"message","id":"${n.toString(16).padStart(8, "0")}","parentId":${parent},"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"x"}}\n`
  const { file, fd } = create(SAMPLES.pi.to)
  writeSync(fd, `${header}\n${line(1, "null")}`)
  for (let n = 2; n < branches + 2; ) {
    let piece = ""
    for (const end = Math.min(n + 10_000, branches + 2); n < end; n++) piece += line(n, '"00000001"')
    writeSync(fd, piece)
  }
  closeSync(fd)
  const log = await store.openFile(file)
  expect(log.history.tips()).toHaveLength(branches)
  const { size } = log.history
  await log.close()
  const again = await store.openFile(file)
  expect([again.history.size, again.history.tips().length]).toEqual([size, branches])
  await again.close()
})
