// A list of another agent's sessions tells the same whether it reads them or knows them already.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { listAgent } from "../../src/foreign/list/list-agent.ts"
import { pi } from "../../src/formats/pi/format.ts"

const NAMES = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"] as const
const TITLE = "größer: “quoted” \u2028 日本 🚀"

let folder: string
let files: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-list-"))
  const sessions = join(folder, "person/.pi/agent/sessions/--work--")
  mkdirSync(sessions, { recursive: true })
  files = NAMES.map((name) => join(sessions, `2026-01-01T00-00-00-000Z_${name}.jsonl`))
  const timestamp = "2026-01-01T00:00:00.000Z"
  for (const [n, name] of NAMES.entries()) {
    const header = { type: "session", version: 3, id: name, timestamp, cwd: "/wörk" }
    writeFileSync(files[n] ?? "", line(n === 0 ? header : { ...header, parentSession: files[0] }) + titled(TITLE))
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = (value: object) => `${JSON.stringify(value)}\n`
const titled = (name: string) => line({ type: "session_info", id: "00000001", parentId: null, name })

async function list(cwd?: string) {
  const places = pi.find({ home: join(folder, "person"), env: {} })
  const found = await listAgent(pi, {
    places,
    name: "sessions",
    home: join(folder, "home"),
    now: () => 0,
    folders: cwd === undefined ? undefined : [cwd],
  })
  return found.map(({ summary }) => summary)
}

test("what is known is listed like what was read, in any script, with the session it was split off from", async () => {
  const read = await list()
  expect(existsSync(join(folder, "home/cache/pi/sessions.json"))).toBe(true)
  expect(await list()).toEqual(read)
  expect(read.map(({ id, title, cwd, from }) => [id, title, cwd, from?.session])).toEqual([
    [NAMES[0], TITLE.replace(" \u2028", ""), "/wörk", undefined],
    [NAMES[1], TITLE.replace(" \u2028", ""), "/wörk", NAMES[0]],
  ])
})

test("a file that has changed is read again, and one that is gone is forgotten", async () => {
  await list()
  appendFileSync(files[0] ?? "", titled("another"))
  rmSync(files[1] ?? "")
  expect((await list()).map(({ title }) => title)).toEqual(["another"])
})

test.each(["", "{}", '{"version":4,"sessions":{}}', '{"version":4,"sessions":[null,7,["/x"],["/x","y"]]}'])(
  "a damaged catalogue is treated as missing: %s",
  async (text) => {
    const read = await list()
    writeFileSync(join(folder, "home/cache/pi/sessions.json"), text)
    expect(await list()).toEqual(read)
  },
)

test("in the folder of a session, the title of a short file is found wherever it stands", async () => {
  const [file = ""] = files
  const header = line({ type: "session", version: 3, id: NAMES[0], timestamp: "", cwd: "/wörk" })
  const said = (length: number) =>
    line({ type: "message", id: "m", message: { role: "user", content: "x".repeat(length) } })
  for (const around of [100, 4096, 4500, 6000, 10_000]) {
    writeFileSync(file, header + said(100) + said(around) + titled("here") + said(around))
    expect([around, (await list("/wörk"))[0]?.title]).toEqual([around, "here"])
  }
})

test("in the folder of a session, a title in the middle of its file is found, and known from then on", async () => {
  const [file = "", other = ""] = files
  const said = (n: number) =>
    line({ type: "message", id: `${n}`, message: { role: "user", content: "x".repeat(1000) } })
  const page = Array.from({ length: 400 }, (_, n) => said(n)).join("")
  const long = line({ type: "message", id: "long", message: { role: "user", content: "y".repeat(700_000) } })
  const header = (name: string) => line({ type: "session", version: 3, id: name, timestamp: "", cwd: "/wörk" })
  writeFileSync(file, header(NAMES[0]) + page + titled("first") + long + titled("last") + page)
  writeFileSync(other, header(NAMES[1]) + page + page)
  const titles = async (cwd?: string) => (await list(cwd)).map(({ title }) => title.slice(0, 8))
  expect(await titles()).toEqual(["xxxxxxxx", "xxxxxxxx"])
  expect(await titles("/elsewhere")).toEqual(["xxxxxxxx", "xxxxxxxx"])
  expect(await titles("/wörk")).toEqual(["last", "xxxxxxxx"])
  expect(await titles()).toEqual(["last", "xxxxxxxx"])
  appendFileSync(file, page)
  expect(await titles("/wörk")).toEqual(["last", "xxxxxxxx"])
})
