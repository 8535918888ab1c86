// Files of other agents that are too much: a line of 500 MB, and a million branches on one entry.
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { reportOn } from "../../src/app/open/foreign-report.ts"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { KIND } from "../../src/model/record/record.ts"
import { testStore } from "../any-store.ts"
import { isSoak } from "../seed.ts"
import { EVERY_AGENT, placeBeside, putSample } from "./every-agent.ts"

const MB = 1024 * 1024

let folder: string
let store: AnyStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-hostile-"))
  store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each(EVERY_AGENT.filter(({ document, whole }) => document !== true && whole !== true))(
  "$agent: a line of 500 MB is damage, and all around it is read",
  async (each) => {
    const { path, main } = putSample(each, join(folder, "person"))
    const before = await report(path)
    const lines = readFileSync(main, "utf8").trimEnd().split("\n")
    const half = Math.ceil(lines.length / 2)
    const first = `${lines.slice(0, half).join("\n")}\n`
    const fd = openSync(main, "w")
    writeSync(fd, first)
    // A hole: it takes no room, and reads as zeros.
    ftruncateSync(fd, Buffer.byteLength(first) + 500 * MB)
    writeSync(fd, `\n${lines.slice(half).join("\n")}\n`, Buffer.byteLength(first) + 500 * MB)
    closeSync(fd)
    expect((await store.foreign.list()).map((session) => session.file)).toContain(path)
    const most = process.resourceUsage().maxRSS
    const after = await report(path)
    expect(after.damaged).toEqual([...before.damaged, half + 1])
    expect(after.prompts).toEqual(before.prompts)
    // maxRSS counts in KB.
    expect(process.resourceUsage().maxRSS - most).toBeLessThan(400 * 1024)
  },
)

/** What doctor would say of a session. Contract: there is no damage but in lines. */
async function report(path: string) {
  const log = (await store.openFile(path)) as ForeignLog
  const found = reportOn(log)
  const rows = Array.from({ length: log.history.size }, (_, row) => row)
  expect(rows.every((row) => log.history.kind(row) === KIND.damaged || log.problem(row) === undefined)).toBe(true)
  await log.close()
  return { damaged: found.damaged, prompts: found.prompts }
}

test("a document of 500 MB is refused, or read, without a crash", async () => {
  for (const each of EVERY_AGENT.filter(({ document, whole }) => document === true || whole === true)) {
    const { path, main } = putSample(each, join(folder, "person"))
    truncateSync(main, 500 * MB)
    const opened = store.openFile(path).then((log) => log.close())
    await opened.catch((error: unknown) => expect(error).toBeInstanceOf(RetconError))
  }
})

/** Formats in which an entry names its parent, and how one is written. What holds for the million of one holds for the others. */
const TREES = [
  {
    agent: "claude-code",
    branches: isSoak ? 100_000 : 20_000,
    line: (id: string, parent: string) =>
      `{"parentUuid":${parent},"isSidechain":false,"type":"user","message":{"role":"user","content":"x"},"uuid":${id},"timestamp":"2026-01-01T00:00:00.000Z","sessionId":"00000000-0000-4000-8000-000000000000","cwd":"/w","version":"2.1.197"}\n`,
  },
  {
    agent: "neovate",
    branches: isSoak ? 100_000 : 20_000,
    line: (id: string, parent: string) =>
      `{"parentUuid":${parent},"uuid":${id},"role":"user","content":"x","type":"message","timestamp":"2026-01-01T00:00:00.000Z","sessionId":"65a89596"}\n`,
  },
  {
    agent: "pi",
    branches: isSoak ? 1_000_000 : 200_000,
    header:
      '{"type":"session","version":3,"id":"00000000-0000-7000-8000-000000000000","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}\n',
    line: (id: string, parent: string) =>
      `{"type":"message","id":${id},"parentId":${parent},"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"x"}}\n`,
  },
]

test.each(TREES)(
  "$agent: $branches branches on one entry are read, and there are as many ends",
  { timeout: 180_000 },
  async ({ agent, branches, header = "", line }) => {
    const short = agent === "pi"
    const id = (n: number) => `"${short ? "" : "00000000-0000-4000-8000-0000"}${n.toString(16).padStart(8, "0")}"`
    const file = placeOf(agent)
    const fd = openSync(file, "w")
    writeSync(fd, `${header}${line(id(1), "null")}`)
    for (let n = 2; n < branches + 2; ) {
      let piece = ""
      for (const end = Math.min(n + 10_000, branches + 2); n < end; n++) piece += line(id(n), id(1))
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
  },
)

function placeOf(agent: string): string {
  const each = EVERY_AGENT.find((sample) => sample.agent === agent)
  if (each === undefined) throw new Error(`no sample of ${agent}`)
  return placeBeside(each, join(folder, "person"), 1)
}
