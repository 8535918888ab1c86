// Copies of other agents' sessions: what a person relies on when an agent has removed, rewritten or broken its own files.
import { execFileSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { Bench } from "./bench.ts"
import { bound } from "./bound.ts"

const SAMPLES = join(import.meta.dirname, "../formats")
const NAME = "01a1e0f3-469b-754c-b6db-6272ee553265"

let bench: Bench
let folder: string
let file: string
let copy: string

/** A person's home in which pi has a session of this directory. */
beforeEach(() => {
  bench = new Bench()
  folder = join(bench.folder, "person", ".pi", "agent", "sessions", "--work--")
  mkdirSync(folder, { recursive: true })
  file = join(folder, `2026-11-15T20-43-22-140Z_${NAME}.jsonl`)
  copy = join(bench.home, "kept", "pi", file)
  const sample = readFileSync(join(SAMPLES, "pi/samples/branched.jsonl"), "utf8")
  writeFileSync(file, sample.replace('"cwd":"/home/dev/repo/agent/w/pi"', `"cwd":${JSON.stringify(bench.cwd)}`))
  utimesSync(file, new Date("2026-11-15T21:05:10Z"), new Date("2026-11-15T21:05:10Z"))
})

const keep = async (...words: string[]) => (await bench.run(["keep", ...words, "--json"])).json() as Kept
interface Kept {
  files: { file: string; copy: string; change: string; bytes: number }[]
  left: string[]
  bytes: number
}
const changes = ({ files }: Kept) => files.map(({ change, bytes }) => [change, bytes])

describe("what is copied", () => {
  test("a session is copied once, byte for byte, for its owner alone; the original stays as it was", async () => {
    const before = statSync(file)
    expect(changes(await keep("--dry-run"))).toEqual([["new", before.size]])
    expect(existsSync(copy)).toBe(false)
    expect((await bench.run(["keep"])).out).toMatch(/Copied 1 file of pi, \d+ KB\.\nKept copies take \d+ KB\./)
    expect(readFileSync(copy)).toEqual(readFileSync(file))
    expect(lstatSync(copy).mode & 0o777).toBe(0o600)
    expect(lstatSync(dirname(copy)).mode & 0o777).toBe(0o700)
    expect((await bench.run(["keep"])).out).toContain("Nothing new in 1 session")
    expect(statSync(file).mtimeMs).toBe(before.mtimeMs)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test("of a file that grew, the new bytes are copied; of one that was rewritten, both contents stay", async () => {
    await keep()
    appendFileSync(file, '{"type":"custom"}\n')
    expect(changes(await keep())).toEqual([["grown", 18]])
    expect(readFileSync(copy)).toEqual(readFileSync(file))
    const earlier = readFileSync(file)
    writeFileSync(file, `${earlier.toString().split("\n")[0]}\n`)
    expect(changes(await keep())).toEqual([["rewritten", statSync(file).size]])
    expect(readFileSync(copy)).toEqual(readFileSync(file))
    const version = readdirSync(dirname(copy)).find((name) => join(dirname(copy), name) !== copy)
    expect(readFileSync(join(dirname(copy), version ?? ""))).toEqual(earlier)
  })

  test("a change that keeps the length counts as one, a new time alone does not", async () => {
    await keep()
    utimesSync(file, new Date(), new Date())
    expect(changes(await keep())).toEqual([])
    expect(statSync(copy).mtimeMs).toBeCloseTo(statSync(file).mtimeMs, 0)
    writeFileSync(file, readFileSync(file, "utf8").replace("u1 hello", "u1 HELLO"))
    expect(changes(await keep())).toEqual([["rewritten", statSync(file).size]])
  })

  test("a copy that someone deleted is made again", async () => {
    for (let times = 0; times < 3; times++) await keep()
    rmSync(copy)
    expect(changes(await keep())).toEqual([["new", statSync(file).size]])
  })

  test("a budget is reported, and nothing is removed for it", async () => {
    await keep()
    // A file with a hole: it takes no room.
    truncateSync(copy, 6_100_000_000)
    rmSync(join(bench.home, "cache"), { recursive: true })
    const { out } = await bench.run(["keep", "--dry-run"], { width: 120 })
    expect(out).toContain("Kept copies take 6.1 GB, more than keep.budget (5GB). retcon never removes any on its own.")
    const { out: allowed } = await bench.run(["keep", "--dry-run"], { settings: { "keep.budget": "10GB" } })
    expect(allowed).toContain("Kept copies take 6.1 GB.")
  })

  test("an emptied file does not replace its copy", async () => {
    await keep()
    const bytes = readFileSync(file)
    writeFileSync(file, "")
    expect(changes(await keep())).toEqual([])
    expect(readFileSync(copy)).toEqual(bytes)
  })

  test("links, FIFOs and folders in place of files are left alone", async () => {
    const secret = join(bench.folder, "secret.jsonl")
    writeFileSync(secret, readFileSync(file))
    rmSync(file)
    symlinkSync(secret, file)
    execFileSync("mkfifo", [join(folder, "a.jsonl")])
    mkdirSync(join(folder, "b.jsonl"))
    expect(changes(await keep())).toEqual([])
  })

  test("the files that a session needs beside its own are copied with it", async () => {
    const project = join(bench.folder, "person", ".claude", "projects", "-work")
    const session = "7f9d6a39-3c3e-4c0e-9f5e-0d8f0f7a1b2c"
    const line = {
      sessionId: session,
      uuid: session,
      parentUuid: null,
      isSidechain: false,
      type: "user",
      cwd: bench.cwd,
    }
    const beside = [`${session}/subagents/agent-1.meta.json`, `${session}/tool-results/b.txt`]
    for (const name of beside) {
      mkdirSync(dirname(join(project, name)), { recursive: true })
      writeFileSync(join(project, name), "{}")
    }
    writeFileSync(join(project, `${session}.jsonl`), `${JSON.stringify(line)}\n`)
    const files = (await keep()).files.map((each) => each.file)
    expect(files).toEqual(expect.arrayContaining([...beside, `${session}.jsonl`].map((name) => join(project, name))))
  })
})

describe("a session that its agent no longer has", () => {
  beforeEach(async () => {
    await keep()
    rmSync(file)
  })

  test("stays in lists, with when it was lost and how to get it back", async () => {
    const { out } = await bench.run(["ls"], { width: 120 })
    expect(out).toContain("u1 hello")
    expect(out).toContain("gone from pi since 2 January 2026; bring it back with: retcon keep --restore 553265")
    const [listed] = (await bench.run(["ls", "--json"])).json() as { gone: string; resume?: string[]; file: string }[]
    expect(listed).toMatchObject({ file: copy, gone: expect.stringMatching(/^2026-01-02T/) })
    expect(listed?.resume).toBeUndefined()
    // The day stays the same however often it is listed.
    expect(((await bench.run(["ls", "--json"])).json() as [{ gone: string }])[0].gone).toBe(listed?.gone)
  })

  test("is read from the copy by every view", async () => {
    expect((await bench.run(["prompts", "-s", NAME])).out).toContain("u3b new branch")
    expect((await bench.run(["log", "-s", "553265"], { width: 120 })).out).toContain("gone from pi since")
    expect((await bench.run(["prompts", "-s", file])).out).toContain("u3b new branch")
    expect((await bench.run(["show"])).out).toContain("reply 3 to: u3b new branch")
    await bench.run(["title", "still mine", "-s", NAME])
    expect((await bench.run(["ls"])).out).toContain("still mine")
  })

  test("keep --restore writes it where its agent looks, and then it is there again", async () => {
    const { out } = await bench.run(["keep", "--restore", NAME])
    expect(out).toContain(`Resume it with: pi --session ${NAME}`)
    expect(readFileSync(file)).toEqual(readFileSync(copy))
    expect(readdirSync(folder)).toHaveLength(1)
    const [listed] = (await bench.run(["ls", "--json"])).json() as [{ file: string; gone?: string }]
    expect(listed.file).toBe(file)
    expect(listed.gone).toBeUndefined()
  })

  test("keep --restore refuses if a file is there, and leaves it alone", async () => {
    writeFileSync(file, readFileSync(copy).subarray(0, 400))
    const { exit, err } = await bench.run(["keep", "--restore", NAME])
    expect(exit).toBe(1)
    expect(err).toContain(`is already in its agent's folder: ${file}. Nothing was written.`)
    expect(statSync(file).size).toBe(400)
  })
})

describe("a session whose file its agent left empty", () => {
  beforeEach(async () => {
    await keep()
    writeFileSync(file, "")
  })

  test("stays in lists and searches, and is read from the copy", async () => {
    const { out } = await bench.run(["ls"], { width: 120 })
    expect(out).toContain("empty in pi since 2 January 2026; bring it back with: retcon keep --restore 553265")
    const listed = (await bench.run(["ls", "--json"])).json()
    expect(listed).toMatchObject([{ file: copy, goneAs: "emptied", gone: expect.stringMatching(/^2026-01-02T/) }])
    expect((await bench.run(["search", "u3b new branch"])).out).toContain("553265")
    for (const name of [NAME, file])
      expect((await bench.run(["log", "-s", name], { width: 120 })).out).toContain("empty in pi since")
  })

  test("comes back with keep --restore, and nothing is left beside it", async () => {
    expect((await bench.run(["keep", "--restore", NAME])).exit).toBe(0)
    expect(readFileSync(file)).toEqual(readFileSync(copy))
    expect(readdirSync(folder)).toHaveLength(1)
  })
})

describe("a session whose file may not be read", () => {
  test("is read from the copy, and the output says so; keep --restore says what to do", () =>
    bound(bench.folder, async () => {
      await keep()
      chmodSync(file, 0)
      for (const name of [NAME, file]) {
        const { out } = await bench.run(["log", "-s", name], { width: 120 })
        expect(out).toContain("u3b new branch")
        expect(out).toContain("unreadable in pi since 2 January 2026")
      }
      rmSync(join(bench.home, "cache"), { recursive: true })
      expect((await bench.run(["ls"], { width: 120 })).out).toContain("unreadable in pi since 2 January 2026")
      const { exit, err } = await bench.run(["keep", "--restore", NAME])
      expect([exit, err]).toEqual([1, expect.stringContaining("you have no permission to read it")])
      expect(err).toContain("chmod u+r")
    }))
})

describe("in passing", () => {
  test("other commands copy what is new, unless that is switched off", async () => {
    mkdirSync(bench.home)
    await bench.run(["ls"], { settings: { "keep.auto": "off" } })
    expect(existsSync(copy)).toBe(false)
    await bench.run(["ls"])
    expect(readFileSync(copy)).toEqual(readFileSync(file))
  })

  test("a place that cannot be written to does not stop a command", async () => {
    mkdirSync(bench.home)
    writeFileSync(join(bench.home, "kept"), "no folder")
    expect((await bench.run(["ls"])).exit).toBe(0)
    expect((await bench.run(["keep"])).exit).toBe(1)
  })
})
