import { spawnSync } from "node:child_process"
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { COLUMN, ROW_BYTES } from "../../src/history/rows/columns.ts"
import { type EntryId, parseSessionId, type SessionId } from "../../src/model/id.ts"
import type { LogRecord, WritableRecord } from "../../src/model/record/record.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { promptDraft } from "../../src/session/state/draft.ts"
import { indexFile, leaseFile } from "../../src/store/file/disk/layout.ts"
import { temporaryIn } from "../../src/workspace/git/disk/temporary.ts"
import { makeStage, round, type Stage, step } from "./stage.ts"

interface Json {
  file: string
  findings: { severity: string; kind: string; line?: number; what: string; means: string; advice: string }[]
}

async function sound() {
  const stage = makeStage()
  const session = await stage.session()
  const [prompt, answer] = await round(session, "one", "two")
  await session.close()
  return { stage, session, prompt, answer, file: session.log.file as string }
}

async function findings(stage: Stage, ...words: string[]) {
  const { out, exit } = await stage.retcon(["doctor", "--json", ...words])
  const all = (JSON.parse(out) as Json[]).flatMap((each) => each.findings)
  for (const { what, means, advice } of all) expect(`${what}${means}${advice}`).not.toBe("")
  return { exit, kinds: all.map(({ kind, line }) => (line === undefined ? kind : `${kind} ${line}`)), all }
}

const AT = "2026-03-01T12:00:00.000Z"
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}` as EntryId

const SESSION = parseSessionId(id(7)) as SessionId

function message(number: number, parent: EntryId | null, more: Partial<LogRecord> = {}): string {
  const content = [{ type: "text" as const, text: `text ${number}` }]
  const base = { id: id(number), type: "message", parent, role: "user", origin: "prompt", at: AT, content, ...more }
  return `${printRecord(base as WritableRecord)}\n`
}

test("sound sessions are all good", async () => {
  const { stage } = await sound()
  expect(await stage.retcon("doctor")).toEqual({ out: "All good: 1 session, 3 lines.\n", err: "", exit: 0 })
  expect((await makeStage().retcon("doctor")).out).toBe("All good: 0 sessions, 0 lines.\n")
})

describe("what may be wrong with a log", () => {
  const cases: { name: string; add: (answer: EntryId) => string | Buffer; kinds: string[]; exit: number }[] = [
    { name: "a line that is not JSON", add: () => "oops\n", kinds: ["damaged-line 4"], exit: 1 },
    {
      name: "a record with a field missing",
      add: () => `{"id":"${id(1)}","type":"label"}\n`,
      kinds: ["damaged-line 4"],
      exit: 1,
    },
    { name: "a missing parent", add: () => message(1, id(99)), kinds: ["missing-parent 4"], exit: 1 },
    {
      name: "a cycle",
      add: () => message(1, id(2)) + message(2, id(1)),
      kinds: ["missing-parent 4"],
      exit: 1,
    },
    { name: "an entry that continues itself", add: () => message(1, id(1)), kinds: ["missing-parent 4"], exit: 1 },
    {
      name: "a duplicate id",
      add: (answer) => message(1, answer) + message(1, answer),
      kinds: ["duplicate-id 5"],
      exit: 1,
    },
    { name: "two roots", add: () => message(1, null), kinds: ["second-root 4"], exit: 0 },
    {
      name: "a head on an unknown entry",
      add: () =>
        `${printRecord({ id: id(5), type: "operation", at: AT, kind: "goto", by: "person", head: { from: null, to: id(99) } })}\n`,
      kinds: ["unknown-head 4"],
      exit: 1,
    },
    { name: "NUL bytes", add: () => "\0\0\0\0\n", kinds: ["nul-bytes 4"], exit: 1 },
    {
      name: "invalid UTF-8 in a text",
      add: (answer) => broken(message(1, answer)),
      kinds: ["invalid-utf8 4"],
      exit: 1,
    },
    { name: "invalid UTF-8 alone", add: () => Buffer.from([0xff, 0xfe, 10]), kinds: ["damaged-line 4"], exit: 1 },
    { name: "CRLF", add: (answer) => message(1, answer).replace("\n", "\r\n"), kinds: ["crlf 4"], exit: 0 },
    { name: "blank lines", add: () => "\n\n\r\n", kinds: [], exit: 0 },
    {
      name: "a torn line that was sealed",
      add: (answer) => `${message(1, answer).slice(0, -20)}\n\n${message(2, answer)}`,
      kinds: ["torn-line 4"],
      exit: 0,
    },
    { name: "a torn tail", add: () => '{"id":"019', kinds: ["torn-tail 4"], exit: 0 },
    {
      name: "a record of a newer version",
      add: () => `{"id":"${id(1)}","type":"weather","at":"${AT}"}\n`,
      kinds: ["unknown-type 4"],
      exit: 0,
    },
    {
      name: "a second header",
      add: () =>
        `${printRecord({ id: SESSION, type: "session", at: AT, reads: 1, writes: 1, cwd: "/", made: { name: "x", version: "1" } })}\n`,
      kinds: ["extra-header 4"],
      exit: 1,
    },
  ]
  for (const { name, add, kinds, exit } of cases) {
    test(`${name} is named with its line, and the session still opens`, async () => {
      const { stage, answer, file } = await sound()
      appendFileSync(file, add(answer))
      const before = readFileSync(file)
      const found = await findings(stage)
      expect(found.kinds).toEqual(kinds)
      expect(found.exit).toBe(exit)
      expect((await stage.retcon("doctor")).out).toContain(exit === 0 ? "All good" : "problem")
      expect((await stage.retcon("log --all")).exit).toBe(0)
      expect((await stage.retcon("show")).out).toContain("one")
      expect(readFileSync(file)).toEqual(before)
    })
  }

  test("a conversation that starts over after going to the start is not a finding", async () => {
    const stage = makeStage()
    const session = await stage.session()
    await round(session, "one")
    await session.goto(null)
    await round(session, "two")
    await session.close()
    expect(await findings(stage)).toMatchObject({ kinds: [], exit: 0 })
  })

  test("a line over 64 MB is named with its size", async () => {
    const { stage, file } = await sound()
    const piece = Buffer.alloc(1024 * 1024, "x")
    for (let i = 0; i < 66; i++) appendFileSync(file, piece)
    appendFileSync(file, "\n")
    const { all } = await findings(stage)
    expect(all).toMatchObject([{ kind: "oversize-line", line: 4, what: "is too long to be read (69.2 MB)" }])
  })

  test("large parts that are gone or changed are named", async () => {
    const stage = makeStage()
    const session = await stage.session()
    await round(session, "one")
    await step(session, "read", { path: "a" }, "a".repeat(40_000))
    await step(session, "read", { path: "b" }, "b".repeat(40_000))
    await session.close()
    const blobs = join(dirname(session.log.file as string), "blobs")
    const hashes = Array.from(
      readFileSync(session.log.file as string, "utf8").matchAll(/sha256-([0-9a-f]{64})/g),
      (m) => m[0],
    )
    const [gone, changed] = hashes.map((hash) => join(blobs, hash.slice(7, 9), hash)) as [string, string]
    rmSync(gone)
    writeFileSync(changed, "c")
    expect(await findings(stage)).toMatchObject({ kinds: ["blob-missing 5", "blob-changed 7"], exit: 1 })
  })

  test("an index that cannot be used is a note, and none at all is fine", async () => {
    const { stage, file } = await sound()
    writeFileSync(indexFile(file), "nonsense")
    expect(await findings(stage)).toMatchObject({ kinds: ["index-unusable"], exit: 0 })
    rmSync(indexFile(file))
    expect(await findings(stage)).toMatchObject({ kinds: [], exit: 0 })
  })

  test("an index that contradicts the log is a problem, named by the first row of the damaged page", async () => {
    const stage = makeStage()
    const session = await stage.session()
    for (let i = 0; i < 6; i++) {
      await session.append(Array.from({ length: 200 }, (_, n) => promptDraft(`prompt ${i * 200 + n}`)))
    }
    await session.close()
    const index = indexFile(session.log.file as string)
    const bytes = readFileSync(index)
    const fifth = bytes.length - (session.history.size - 5) * ROW_BYTES
    bytes[fifth + COLUMN.depth * 4] = 77
    writeFileSync(index, bytes)
    const { all, exit } = await findings(stage)
    expect(all).toMatchObject([{ kind: "index-wrong", row: 0 }])
    expect(exit).toBe(1)
  })
})

describe("what is no log at all", () => {
  test("an empty file, a folder, a device: reported, and never opened for long", async () => {
    const { stage, file } = await sound()
    const folder = dirname(file)
    writeFileSync(join(folder, `${id(1)}.jsonl`), "", { mode: 0o600 })
    mkdirSync(join(folder, `${id(2)}.jsonl`), { mode: 0o700 })
    symlinkSync("/dev/zero", join(folder, `${id(3)}.jsonl`))
    symlinkSync("/nowhere", join(folder, `${id(4)}.jsonl`))
    writeFileSync(join(folder, `${id(5)}.jsonl`), "hello\n", { mode: 0o600 })
    const { all, exit } = await findings(stage)
    expect(all.map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
      "not-a-session: is not a session: it is empty",
      "not-a-session: is not a session: it is a folder",
      "not-a-session: is not a session: it is not a regular file",
      expect.stringContaining("cannot-read: cannot be read: ENOENT"),
      expect.stringContaining("header-damaged: the header cannot be read"),
    ])
    expect(exit).toBe(1)
    expect((await stage.retcon("ls")).exit).toBe(0)
  })

  test("files that are no part of a session, and what a crash left behind", async () => {
    const { stage, file } = await sound()
    writeFileSync(join(dirname(file), "notes.txt"), "", { mode: 0o600 })
    writeFileSync(`${file}.123.tmp`, "", { mode: 0o600 })
    writeFileSync(join(dirname(file), `${id(9)}.index`), "", { mode: 0o600 })
    const { kinds, exit } = await findings(stage)
    expect(kinds.sort()).toEqual(["left-over", "left-over", "stranger"])
    expect(exit).toBe(0)
  })
})

test("permissions that let others in are a problem, with the command that closes them", async () => {
  const { stage, file } = await sound()
  chmodSync(file, 0o644)
  chmodSync(dirname(file), 0o755)
  const { all, exit } = await findings(stage)
  expect(all.map(({ what, advice }) => [what, advice])).toEqual([
    ["others can access it (mode 755)", `Fix this with: chmod 700 ${dirname(file)}`],
    ["others can access it (mode 644)", `Fix this with: chmod 600 ${file}`],
  ])
  expect(exit).toBe(1)
})

test("the lease of a process that ended is a note", async () => {
  const { stage, file } = await sound()
  writeFileSync(leaseFile(file), JSON.stringify({ pid: 0, host: hostname(), started: "" }), { mode: 0o600 })
  expect(await findings(stage)).toMatchObject({ kinds: ["dead-lease"], exit: 0 })
})

test("-s looks at one session, also at one that cannot be opened, and at any file", async () => {
  const { stage, file, session } = await sound()
  const other = await stage.session()
  await other.close()
  writeFileSync(other.log.file as string, "nonsense\n")
  expect(await findings(stage, "-s", session.id)).toMatchObject({ kinds: [], exit: 0 })
  expect((await findings(stage, "-s", other.id)).kinds).toContain("header-damaged 1")
  const copy = join(stage.home, "copy.jsonl")
  writeFileSync(copy, `${readFileSync(file, "utf8")}oops\n`, { mode: 0o600 })
  expect(await findings(stage, "-s", copy)).toMatchObject({ kinds: ["damaged-line 4"], exit: 1 })
})

test("--all looks everywhere, without it only here", async () => {
  const { stage } = await sound()
  const far = await stage.session({ cwd: "/elsewhere" })
  await round(far, "one")
  await far.close()
  appendFileSync(far.log.file as string, "oops\n")
  expect((await findings(stage)).exit).toBe(0)
  expect((await findings(stage, "--all")).exit).toBe(1)
})

test("lines with the same trouble are named together, and nothing in them steers the terminal", async () => {
  const { stage, file } = await sound()
  appendFileSync(file, "\u001b[31mred\n".repeat(8))
  const { out } = await stage.retcon("doctor", { width: 60 })
  expect(out.replace(file, "FILE")).toMatchInlineSnapshot(`
    "FILE
      ✗ lines 4, 5, 6, 7, 8 and 3 more: each cannot be read: not
        JSON (Unexpected token '', "red" is not valid JSON) (8
        B)
        retcon keeps it as it is and leaves it out of the
        conversation. All other lines work.
        If you know what it should say, fix it in an editor
        while nothing else uses the session.

    8 problems in 1 session, 11 lines.
    "
  `)
})

/** The line with a byte of its text that is no character. */
function broken(line: string): Buffer {
  const bytes = Buffer.from(line)
  bytes[bytes.indexOf("text 1")] = 0xff
  return bytes
}

test("a folder of sessions that cannot be read is not an empty one: doctor names it, ls and log refuse", async () => {
  const { stage, file } = await sound()
  const folder = dirname(file)
  rmSync(folder, { recursive: true })
  symlinkSync(folder, folder)
  expect(await findings(stage)).toMatchObject({ exit: 1, kinds: expect.arrayContaining(["cannot-read"]) })
  for (const command of ["ls", "log", "gc"]) {
    const { exit, err } = await stage.retcon(command)
    expect([command, exit, err]).toEqual([command, 1, expect.stringContaining(`${folder} could not be used`)])
  }
  expect((await stage.retcon("ls --all")).exit).toBe(0)
})

test("what a killed snapshot left is named, and gc frees it, also where no session has a snapshot yet", async () => {
  const { stage } = await sound()
  const packs = join(stage.home, "workspaces", "0".repeat(32), "objects", "pack")
  mkdirSync(packs, { recursive: true })
  const ended = spawnSync(process.execPath, ["--version"]).pid
  const left = join(packs, temporaryIn("").slice(1).replace(`tmp-${process.pid}-`, `tmp-${ended}-`))
  writeFileSync(`${left}.pack`, Buffer.alloc(5_000_000))
  const { out } = await stage.retcon("doctor")
  expect(out).toContain("5.0 MB that an unfinished snapshot of files left behind")
  expect(out).toContain("Free the space with: retcon gc")
  expect((await stage.retcon("gc --dry-run")).out).toContain(
    "Would free 5.0 MB that interrupted processes left (1 file).",
  )
  expect((await stage.retcon("gc")).out).toContain("Freed 5.0 MB that interrupted processes left (1 file).")
  expect((await stage.retcon("doctor")).out).toBe("All good: 1 session, 3 lines.\n")
})

test("-s with a folder is refused, and nothing is said about its permissions", async () => {
  const { stage, file } = await sound()
  const { exit, out, err } = await stage.retcon(`doctor -s ${dirname(file)}`)
  expect([exit, out]).toEqual([1, ""])
  expect(err).toContain("is not a session that retcon knows: it is a folder.")
})
