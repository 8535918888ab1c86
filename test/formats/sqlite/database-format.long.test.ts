// Sessions that share a database: Crush's and Goose's.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { crush } from "../../../src/formats/crush/format.ts"
import { goose } from "../../../src/formats/goose/format.ts"
import type { Format, SessionPlace } from "../../../src/formats/port.ts"
import {
  contextOf,
  glanceAt,
  linesFile,
  NOTHING_OURS,
  promptsOf,
  readSession,
  temporaryFolder,
} from "../read-session.ts"
import { crushDatabase, crushWith, gooseDatabase, gooseWith } from "./databases.ts"

const LOOK = { head: Buffer.alloc(0), tail: Buffer.alloc(0), read: () => undefined }

function inHome(home: string, path: string): string {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  return join(home, path)
}

async function read(format: Format, place: SessionPlace) {
  const session = new ScannedSession(await format.open(place), NOTHING_OURS)
  session.load()
  return session.history
}

const good = (path: string): SessionPlace => ({ path, main: path, within: "good" })

test.each([
  { format: crush, make: crushDatabase, asides: ["user: $ ls\na.txt\n(exit code 0)"] },
  { format: goose, make: gooseDatabase, asides: [] },
])(
  "$format.agent: a session is read with its calls and results, as the model gets them",
  async ({ format, make, asides }) => {
    const history = await read(format, good(make()))
    expect(promptsOf(history)).toEqual(["u1 hello", "u2 go on"])
    expect(contextOf(history)).toEqual([
      "user: u1 hello",
      "assistant: hm",
      "assistant: I write it.",
      "assistant: call c1",
      "tool: result c1 written",
      "assistant: It is written.",
      "user: u2 go on",
      "assistant: On we go.",
      ...asides,
    ])
    for (let row = 0; row < history.size; row++) expect(history.record(row)?.id).toBe(history.id(row))
  },
)

test("Crush's databases are found through its list of projects, and a sub-agent's session names its parent", () => {
  const home = temporaryFolder()
  const file = crushDatabase(inHome(home, "project/.crush/crush.db"))
  const projects = { projects: [{ path: join(home, "project"), data_dir: dirname(file) }, { data_dir: "/nowhere" }] }
  writeFileSync(inHome(home, ".local/share/crush/projects.json"), JSON.stringify(projects))
  const places = [...crush.find({ home, env: {} })]
  expect(places).toHaveLength(202)
  const of = (name: string) => places.find(({ within }) => within === name) as SessionPlace
  expect(of("good")).toEqual({ path: file, main: `${file}-wal`, within: "good" })
  expect(crush.glance(of("good"), LOOK)).toMatchObject({
    name: "good",
    title: "title of good",
    cwd: join(home, "project"),
    updated: "2026-09-21T14:13:29.000Z",
  })
  expect(crush.glance(of("task"), LOOK)).toMatchObject({ from: { name: "good", as: "task" } })
})

test("Goose's database and older files are found where its variables say", () => {
  const home = temporaryFolder()
  const file = gooseDatabase(inHome(home, ".local/share/goose/sessions/sessions.db"))
  const older = linesFile(
    [
      { working_dir: "/work", description: "Older" },
      { role: "user", created: 1790000000, content: [{ type: "text", text: "u1 hello" }] },
    ],
    ".local/share/goose/sessions/20250101_1.jsonl",
    home,
  )
  const places = [...goose.find({ home, env: {} })]
  expect(places).toHaveLength(202)
  const place = places.find(({ within }) => within === "good")
  expect(place).toMatchObject({ path: file })
  expect(place && goose.glance(place, LOOK)).toMatchObject({
    title: "title of good",
    cwd: "/home/you/project",
    updated: "2026-11-18T20:05:00.000Z",
  })
  expect(glanceAt(goose, { path: older, main: older })).toMatchObject({
    name: "20250101_1",
    title: "Older",
    cwd: "/work",
  })
  expect([...goose.find({ home: "/nowhere", env: { XDG_DATA_HOME: join(home, ".local/share") } })]).toHaveLength(202)
  expect([...goose.find({ home, env: { GOOSE_PATH_ROOT: "/nowhere" } })]).toEqual([])
})

test("a file of an older Goose is read", async () => {
  const said = (role: string, text: string) => ({ role, created: 1790000000, content: [{ type: "text", text }] })
  const lines = [{ working_dir: "/work", description: "" }, said("user", "u1 hello"), said("assistant", "Hello.")]
  const { history } = await readSession(goose, linesFile(lines, "20250101_1.jsonl"))
  expect(contextOf(history)).toEqual(["user: u1 hello", "assistant: Hello."])
})

test("what a compaction of Goose replaced is not sent; Crush's summary replaces what was before it", async () => {
  const compacted = gooseWith(`session("good")
message("good", "user", [text("u1 hello")], userVisible=True, agentVisible=False)
message("good", "user", [text("We said hello.")], userVisible=False, agentVisible=True)
message("good", "user", [text("u2 go on")], userVisible=True, agentVisible=True)`)
  const history = await read(goose, good(compacted))
  expect(contextOf(history)).toEqual(["user: We said hello.", "user: u2 go on"])
  expect(promptsOf(history)).toEqual(["u1 hello", "u2 go on"])
  const summarised = crushWith(`session("good")
message("good", "user", [part("text", text="u1 hello")])
message("good", "assistant", [part("text", text="We said hello.")], 1)
message("good", "user", [part("text", text="u2 go on")])`)
  expect(contextOf(await read(crush, good(summarised)))).toEqual(["user: We said hello.", "user: u2 go on"])
})

test.each([
  { format: crush, make: crushDatabase },
  { format: goose, make: gooseDatabase },
])("$format.agent: a copy of a session reads the same, without the database", async ({ format, make }) => {
  const home = temporaryFolder()
  const place = good(make())
  const copy = format.exported?.(place, { home, env: {} })
  expect(copy?.file.endsWith("/exported/good.jsonl")).toBe(true)
  const path = join(temporaryFolder(), "good.jsonl")
  writeFileSync(path, copy?.bytes() ?? "")
  const { history, opened } = await readSession(format, path)
  expect(opened.name).toBe("good")
  expect(contextOf(history)).toEqual(contextOf(await read(format, place)))
  expect(format.exported?.({ ...place, within: "../../x" }, { home, env: {} })).toBeUndefined()
})

test("a database of one agent is not one of another; of several sessions the last used one is opened", () => {
  const [ofCrush, ofGoose] = [crushDatabase(), gooseDatabase()]
  const detect = (format: Format, path: string) =>
    format.detect({ path, head: readFileSync(path).subarray(0, 100), names: undefined })
  expect(detect(crush, ofGoose)).toBeUndefined()
  expect(detect(goose, ofCrush)).toBeUndefined()
  expect(detect(crush, ofCrush)).toMatchObject({ path: ofCrush, within: expect.any(String) })
  expect(detect(goose, ofGoose)).toMatchObject({ path: ofGoose, within: expect.any(String) })
})

test("rows of any shape are damage, or entries of an unknown kind, and never fatal", async () => {
  const odd = [
    "null",
    "true",
    "7",
    '"x"',
    "[]",
    "[[]]",
    '[null, 4, {"type": []}, {"type": "text"}, {"type": "tool_result"}]',
  ]
  const values = odd.map((value) => value.replaceAll("null", "None").replaceAll("true", "True")).join(", ")
  const both = `session("good")
for value in [${values}]:
  for role in ["user", "assistant", "tool", ""]: message("good", role, value)`
  for (const [format, path] of [
    [crush, crushWith(both)],
    [goose, gooseWith(both)],
  ] as const) {
    const history = await read(format, good(path))
    for (let row = 0; row < history.size; row++) expect(() => history.record(row)).not.toThrow()
    expect(() => contextOf(history)).not.toThrow()
  }
})

test("a database that is cut off is damage, or has no sessions", async () => {
  for (const [format, path] of [
    [crush, crushDatabase()],
    [goose, gooseDatabase()],
  ] as const) {
    const bytes = readFileSync(path)
    for (const size of [100, 4096, Math.floor(bytes.length / 2)]) {
      const cut = join(temporaryFolder(), "cut.db")
      writeFileSync(cut, bytes.subarray(0, size))
      expect(() => format.detect({ path: cut, head: bytes.subarray(0, 100), names: undefined })).not.toThrow()
      await expect(
        read(format, good(cut)).then(
          () => "read",
          (error: Error) => error.constructor.name,
        ),
      ).resolves.toMatch(/read|RetconError/)
    }
  }
})
