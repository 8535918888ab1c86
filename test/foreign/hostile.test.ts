// What may lie in other agents' folders: nothing of it hangs, crashes, or is followed out of them.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import { FORMATS } from "../../src/formats/all/formats.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { testStore } from "../any-store.ts"

const SAMPLES = {
  pi: join(import.meta.dirname, "../formats/pi/samples/branched.jsonl"),
  claude: join(import.meta.dirname, "../formats/claude-code/samples/plain-3turns.v2.1.119.jsonl"),
}

let folder: string
let person: string
let store: AnyStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-hostile-"))
  person = join(folder, "person")
  store = testStore(join(folder, "home"), person, () => Date.now())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A folder where pi, or Claude Code, keeps sessions. */
function folderOf(agent: "pi" | "claude"): string {
  const path = agent === "pi" ? ".pi/agent/sessions/--work--" : ".claude/projects/-work"
  mkdirSync(join(person, path), { recursive: true })
  return join(person, path)
}

test.each(["pi", "claude"] as const)(
  "pipes, links, folders and empty files among the sessions of %s are ignored",
  async (agent) => {
    const here = folderOf(agent)
    writeFileSync(join(here, "good.jsonl"), readFileSync(SAMPLES[agent]))
    execFileSync("mkfifo", [join(here, "pipe.jsonl")])
    symlinkSync(".", join(here, "loop"))
    symlinkSync(join(here, "loop", "loop"), join(here, "loop.jsonl"))
    symlinkSync("/etc/passwd", join(here, "link.jsonl"))
    symlinkSync(here, join(here, "..", "again"))
    mkdirSync(join(here, "folder.jsonl"))
    writeFileSync(join(here, "empty.jsonl"), "")
    writeFileSync(join(here, "zeros.jsonl"), Buffer.alloc(100_000))
    writeFileSync(join(here, "deep.jsonl"), `${"[".repeat(200_000)}\n${'{"a":'.repeat(50_000)}\n`)
    const listed = await store.foreign.list()
    expect(listed.map(({ file }) => file)).toEqual([join(here, "good.jsonl")])
  },
)

test("what is not a session of any agent is refused with a message, whatever it is", async () => {
  const here = folderOf("pi")
  execFileSync("mkfifo", [join(here, "pipe.jsonl")])
  writeFileSync(join(here, "zeros"), Buffer.alloc(100_000))
  symlinkSync(join(here, "nowhere"), join(here, "dangling"))
  for (const name of ["pipe.jsonl", "zeros", "dangling", ".", "not-there"]) {
    await expect(store.openFile(join(here, name))).rejects.toThrow(RetconError)
  }
})

test.each(FORMATS.map((format) => ({ agent: format.agent, format })))(
  "$agent does not mistake hostile bytes for a session, and throws nothing",
  async ({ format: known }) => {
    const format = await known.load()
    const bytes = [
      "",
      "\0".repeat(5000),
      "[".repeat(70_000),
      '{"type":'.repeat(9000),
      "\n".repeat(70_000),
      '{"type":"session"}\n',
    ]
    for (const text of bytes) {
      const head = Buffer.from(text)
      expect(format.detect({ path: "/nowhere/file.jsonl", head, names: undefined })).toBeUndefined()
      const look = { head, tail: head, read: () => head }
      const place = { path: "/nowhere/file.jsonl", main: "/nowhere/file.jsonl" }
      expect(() => format.glance(place, look)).not.toThrow()
    }
    expect(
      format.detect({ path: "/nowhere", head: undefined, names: ["..", ".", "a\nb", "\u001b[2J"] }),
    ).toBeUndefined()
  },
)

test("lines of any shape in a session are damage or no rows, and what is around them is read", async () => {
  const here = folderOf("pi")
  const [header, ...rest] = readFileSync(SAMPLES.pi, "utf8").trimEnd().split("\n")
  const strange = [
    "null",
    "[]",
    "{}",
    '{"type":"message"}',
    '{"type":"message","id":"..","parentId":"../../..","timestamp":1e400}',
    '{"type":"message","id":"0badcafe","parentId":"591d45f8","timestamp":"x","message":{"role":"user","content":{"a":[[[[]]]]}}}',
    '{"type":"message","id":"0badcaff","parentId":"0badcaff","message":{"role":"assistant","content":[7,null,{"type":"toolCall"}]}}',
    `{"type":"label","id":"0badcaf0","targetId":${"[".repeat(3000)}${"]".repeat(3000)}}`,
    '{"type":"compaction","id":"0badcaf1","summary":7,"firstKeptEntryId":{}}',
    "\u0000\u001b[2J",
  ]
  const file = join(here, "strange.jsonl")
  writeFileSync(file, [header, ...strange, ...rest, ...strange].map((line) => `${line}\n`).join(""))
  const log = await store.openFile(file)
  for (let row = 0; row < log.history.size; row++) log.history.record(row)
  const texts = Array.from({ length: log.history.size }, (_, row) => JSON.stringify(log.history.record(row) ?? null))
  expect(texts.some((text) => text.includes("u3b new branch"))).toBe(true)
  await log.close()
})

test("very many branches on one entry are read quickly", async () => {
  const here = folderOf("pi")
  const [header] = readFileSync(SAMPLES.pi, "utf8").split("\n", 1)
  const line = (n: number, parent: string | null) =>
    JSON.stringify({
      type: "message",
      id: n.toString(16).padStart(8, "0"),
      parentId: parent,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: "x" },
    })
  const lines = [header, line(1, null)]
  for (let n = 2; n < 20_000; n++) lines.push(line(n, "00000001"))
  const file = join(here, "many.jsonl")
  writeFileSync(file, lines.map((each) => `${each}\n`).join(""))
  const log = await store.openFile(file)
  expect(log.history.tips()).toHaveLength(19_998)
  await log.close()
})
