// What is written for another agent: only in its own folders, whole or not at all, and never over a file.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { composeNative, type NativeSession } from "../../src/foreign/native-session.ts"
import { FORMATS } from "../../src/formats/all/formats.ts"
import type { AgentHomes, Format } from "../../src/formats/port.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "retcon-native-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** What a format of pi that writes these files gives. */
function composed(paths: string[], env: AgentHomes["env"] = {}): Promise<NativeSession> {
  const files = paths.map((path) => ({ path, bytes: Buffer.from("new") }))
  const formats = FORMATS.map((format) => ({
    ...format,
    load: async (): Promise<Format> => ({
      ...(await format.load()),
      write: () => Promise.resolve({ files, resume: ["pi"], lost: [] }),
    }),
  }))
  const request = { entries: [], cwd: "/", title: undefined, now: "2026-01-01T00:00:00.000Z", newId: () => "x" }
  return composeNative("pi", formats, { ...request, homes: { home, env } })
}

function inPi(name: string): string {
  return join(home, ".pi", "agent", "sessions", name)
}

test("a path outside of the agent's own folders is refused, however it is written", async () => {
  const own = join(home, ".pi", "agent", "sessions")
  const outside = [
    join(home, ".bashrc"),
    join(home, ".pifile"),
    join(home, ".pi", "agent", "settings.json"),
    `${own}/../../../.bashrc`,
    `${own}/a/../../settings.json`,
    own,
    ".pi/relative.jsonl",
    `${own}/a\0b`,
  ]
  for (const path of outside) await expect(composed([path])).rejects.toThrow("not in a folder of pi")
  await composed([join(own, "..a", "x.jsonl")])
})

test("a folder that a variable names is the agent's own too", async () => {
  const path = join(home, "elsewhere", "sessions", "x.jsonl")
  await expect(composed([path])).rejects.toThrow("not in a folder of pi")
  await composed([path], { PI_CODING_AGENT_DIR: "~/elsewhere" })
  await expect(composed([path], { CODEX_HOME: join(home, "elsewhere") })).rejects.toThrow("not in a folder of pi")
})

test("an existing file is left alone, and nothing else is left behind", async () => {
  const [first, there] = [inPi("one/a.jsonl"), inPi("two/b.jsonl")]
  mkdirSync(dirname(there), { recursive: true })
  writeFileSync(there, "old")
  const session = await composed([first, there])
  expect(() => session.save()).toThrow("already exists")
  expect(readFileSync(there, "utf8")).toBe("old")
  expect(existsSync(first)).toBe(false)
})

test("when one file cannot be written, the others are taken back", async () => {
  const [first, blocked] = [inPi("three/a.jsonl"), inPi("file/b.jsonl")]
  writeFileSync(dirname(blocked), "no folder")
  const session = await composed([first, blocked])
  expect(() => session.save()).toThrow(blocked)
  expect(readdirSync(dirname(first))).toEqual([])
})

test("new files are whole, for their owner alone, with nothing beside them", async () => {
  const path = inPi("four/a.jsonl")
  ;(await composed([path])).save()
  expect(readFileSync(path, "utf8")).toBe("new")
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(path))).toEqual(["a.jsonl"])
})

test("every agent whose sessions can be created has its own folders to create them in", async () => {
  const request = { cwd: "/home/you/project", title: "a title", now: "2026-01-01T00:00:00.000Z", newId: () => NEW_ID }
  for (const { agent } of FORMATS.filter(({ creates }) => creates)) {
    const { files } = await composeNative(agent, FORMATS, { ...request, entries: [], homes: { home, env: {} } })
    expect([agent, files.length > 0]).toEqual([agent, true])
  }
})

const NEW_ID = "01a1e0f3-469b-754c-b6db-6272ee553265"
