// Sessions where Claude Code keeps them: found, shown in a list, held by a process, with copies of files.
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { claudeCode } from "../../../src/formats/claude-code/format.ts"
import { openClaude } from "../../../src/formats/claude-code/open.ts"
import { sessionIdOf } from "../../../src/formats/ids.ts"
import type { EntryId } from "../../../src/model/id.ts"
import { temporaryFolder } from "../read-session.ts"
import { answer, checkpoint, fileOf, prompt, readFile, SESSION, threeRounds, uuid } from "./lines.ts"

const open = (path: string) => openClaude({ path, main: path })

function glanceAt(path: string) {
  const bytes = readFileSync(path)
  const [head, tail] = [bytes.subarray(0, 4096), bytes.subarray(-4096)]
  const read = (file: string) => readFileSync(file)
  return claudeCode.glance({ path, main: path }, { head, tail, read })
}

/** The session of a sub-agent beside the one it works for. */
function subAgentOf(path: string, agentId = "ad37bbd373c73573b", meta: Record<string, string> = {}): string {
  const file = join(path.slice(0, -".jsonl".length), "subagents", `agent-${agentId}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const lines = [prompt("t", null, "count"), answer("d", "t", "3")].map((line) => ({
    ...line,
    isSidechain: true,
    agentId,
  }))
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  writeFileSync(
    file.replace(".jsonl", ".meta.json"),
    JSON.stringify({ agentType: "general-purpose", description: "count files", toolUseId: "toolu_1", ...meta }),
  )
  return file
}

test("sessions and those of their sub-agents are found, in the folder that CLAUDE_CONFIG_DIR names too", () => {
  const folder = temporaryFolder()
  const path = fileOf(threeRounds(), folder)
  const agent = subAgentOf(path)
  symlinkSync(dirname(path), join(folder, ".claude", "projects", "linked"))
  expect([...claudeCode.find({ home: folder, env: {} })].map((place) => place.path)).toEqual([path, agent])
  const env = { CLAUDE_CONFIG_DIR: join(folder, ".claude") }
  expect([...claudeCode.find({ home: "/nowhere", env })].map((place) => place.path)).toEqual([path, agent])
})

test("a sub-agent is a separate session that works for another", () => {
  const path = fileOf(threeRounds())
  const agent = subAgentOf(path)
  const opened = open(agent)
  expect(opened).toMatchObject({ name: "agent-ad37bbd373c73573b", header: { from: { session: SESSION, as: "task" } } })
  expect(glanceAt(agent)).toMatchObject({ id: opened.id, title: "count files", from: { name: SESSION, as: "task" } })
  expect(claudeCode.resume({ path: agent, main: agent }, opened.name)).toEqual(["claude", "--resume", SESSION])
  expect(readFile(agent).record(0)).toMatchObject({ origin: "task" })
})

test("a sub-agent of a sub-agent works for that one", () => {
  const path = fileOf(threeRounds())
  const outer = open(subAgentOf(path))
  for (const parentAgentId of ["ad37bbd373c73573b", "agent-ad37bbd373c73573b"]) {
    const inner = subAgentOf(path, "b000000000000001", { parentAgentId })
    expect(open(inner).header.from).toMatchObject({ session: outer.id, as: "task" })
    const { from } = glanceAt(inner) ?? {}
    expect(from && [sessionIdOf("claude-code", from.name), from.as]).toEqual([outer.id, "task"])
  }
  const own = subAgentOf(path, "c000000000000001", { parentAgentId: "c000000000000001" })
  expect(open(own).header.from).toMatchObject({ session: SESSION })
})

test("a list shows what a person called a session, else what the program did, else the prompt", () => {
  const named = { type: "custom-title", customTitle: "mine", sessionId: SESSION }
  const made = { type: "ai-title", aiTitle: "made up", sessionId: SESSION }
  expect(glanceAt(fileOf(threeRounds()))).toMatchObject({
    name: SESSION,
    id: SESSION,
    cwd: "/home/you/project",
    title: "u1",
  })
  expect(glanceAt(fileOf([...threeRounds(), made]))?.title).toBe("made up")
  expect(glanceAt(fileOf([...threeRounds(), named, made]))?.title).toBe("mine")
})

test("a name that a person gave is not replaced by one that the program makes up", () => {
  const [named, made] = [
    { type: "custom-title", customTitle: "mine" },
    { type: "ai-title", aiTitle: "made up" },
  ]
  const history = readFile(fileOf([...threeRounds(), made, named, made, named]))
  const titles = [6, 7, 8].map((row) => (row < history.size ? history.record(row) : undefined))
  expect(titles.map((record) => record?.type === "config" && record.value)).toEqual(["made up", "mine", false])
})

test("a summary names the session only when it sums up an entry of it", () => {
  const of = (leaf: string) => ({ type: "summary", summary: "sum", leafUuid: leaf })
  expect(readFile(fileOf([of(uuid("elsewhere")), ...threeRounds()])).size).toBe(6)
  expect(readFile(fileOf([...threeRounds(), of(uuid("a3"))])).size).toBe(7)
})

test("a process holds a session while it is the one that registered", () => {
  const path = fileOf(threeRounds())
  expect(open(path).holder()).toBe("unknown")
  const sessions = join(dirname(dirname(dirname(path))), "sessions")
  mkdirSync(sessions)
  expect(open(path).holder()).toBeUndefined()
  const stat = readFileSync(`/proc/${process.pid}/stat`, "latin1")
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  const register = (entry: object) =>
    writeFileSync(join(sessions, `${process.pid}.json`), JSON.stringify({ pid: process.pid, ...entry }))
  register({ sessionId: SESSION, procStart })
  expect(open(path).holder()).toEqual({ pid: process.pid })
  register({ sessionId: SESSION, procStart: "1" })
  expect(open(path).holder()).toBeUndefined()
  register({ sessionId: uuid("other"), procStart })
  expect(open(path).holder()).toBeUndefined()
})

test("the copies of files show what they contained before a prompt", async () => {
  const backup = (name: string | null) => ({ backupFileName: name, version: 1 })
  const snapshot = (files: object, more: object = {}) => ({
    type: "file-history-snapshot",
    messageId: uuid("u2"),
    snapshot: { messageId: uuid("u2"), trackedFileBackups: files },
    ...more,
  })
  const path = fileOf([
    ...threeRounds(),
    snapshot({ "a.txt": backup("0123@v1") }),
    snapshot({ "a.txt": backup("0123@v1"), "new.txt": backup(null) }, { isSnapshotUpdate: true }),
    {
      type: "file-history-delta",
      snapshotMessageId: uuid("u2"),
      trackingPath: "/tmp/b.txt",
      backup: backup("4567@v2"),
    },
    snapshot({ "evil.txt": backup("../../../secret") }),
  ] as never)
  const folder = join(dirname(dirname(dirname(path))), "file-history", SESSION)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "0123@v1"), "before")
  writeFileSync(join(folder, "4567@v2"), "b")
  const found =
    (await open(path)
      .fileHistory?.()
      .before(uuid("u2") as EntryId)) ?? []
  const texts = await Promise.all(found.map(async ({ path: file, bytes }) => [file, (await bytes())?.toString()]))
  expect(texts).toEqual([
    ["/home/you/project/a.txt", "before"],
    ["/home/you/project/new.txt", undefined],
    ["/tmp/b.txt", "b"],
  ])
})

test("what is not a session is not mistaken for one, and a named pipe does not block", () => {
  const folder = temporaryFolder()
  const pipe = join(folder, "pipe.jsonl")
  execFileSync("mkfifo", [pipe])
  expect(() => open(pipe)).toThrow("it has no line of Claude Code")
  for (const text of ["", "{}", "[]\nnull\n42", '{"type":"session","version":3,"id":"x"}']) {
    expect(claudeCode.detect({ path: "/x.jsonl", head: Buffer.from(text), names: undefined })).toBeUndefined()
  }
})

test("a session that was only just begun is listed", () => {
  expect(glanceAt(fileOf([prompt("u1", null), checkpoint("u1")]))?.name).toBe(SESSION)
})

test("a session whose first prompt contains an image is recognised by how its lines begin", () => {
  const path = fileOf([prompt("u1", null, "x".repeat(400_000)), answer("a1", "u1")])
  const head = readFileSync(path).subarray(0, 64 * 1024)
  expect(claudeCode.detect({ path, head, names: undefined })?.path).toBe(path)
  expect(open(path).header.cwd).toBe("/home/you/project")
})
