// diff, blame, gc and what is not covered.
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { FilesBench } from "./files-bench.ts"

async function twoRounds(): Promise<FilesBench> {
  const bench = new FilesBench()
  await bench.ask("run printf 'one\\ntwo\\n' > a.txt", "run printf 'one\\nTWO\\nthree\\n' > a.txt")
  return bench
}

/** What is new is kept for a while, because a session may be about to name it: so let it be old. */
function longAgo(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), 1, 1)
  }
}

describe("diff", () => {
  test("without names shows what changed since the last prompt", async () => {
    const bench = await twoRounds()
    const said = await bench.done("diff")
    expect(said).toContain("-two\n+TWO\n+three\n")
    expect(await bench.done("diff --stat")).toBe("M a.txt  +2 −1\n1 file differs.\n")
    expect(await bench.done("diff @1 @2 --stat")).toBe("A a.txt  +2 −0\n1 file differs.\n")
    expect(await bench.done("diff --path b.txt")).toBe("No file differs.\n")
  })

  test("counts no lines of an empty folder", async () => {
    const bench = await twoRounds()
    mkdirSync(join(bench.cwd, "empty"))
    bench.put("nothing.txt", "")
    expect(await bench.done("diff --stat")).toBe("M a.txt  +2 −1\nA empty\nA nothing.txt  +0 −0\n3 files differ.\n")
  })

  test("without names, at the start of the conversation, says that there is no prompt to start from", async () => {
    const bench = await twoRounds()
    const [first] = JSON.parse(await bench.done("prompts --json")) as { id: string }[]
    await bench.done("goto @1")
    const refused = await bench.run(["diff"])
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining("The conversation is empty")])
    expect(await bench.done(`diff ${first?.id} --stat`)).toContain("A a.txt")
  })

  test("is coloured when asked, and --json has files and the patch", async () => {
    const bench = await twoRounds()
    const coloured = await bench.done("diff", { colours: true })
    expect(coloured).toContain("\u001b[32m+TWO\u001b[39m")
    expect(coloured).toContain("\u001b[31m-two\u001b[39m")
    const json = JSON.parse(await bench.done("diff --json")) as { files: unknown; patch: string }
    expect(json.files).toEqual([{ path: "a.txt", change: "modified", added: 2, removed: 1 }])
    expect(json.patch).toContain("+three")
    expect(JSON.parse(await bench.done("diff --json --stat"))).toEqual({ files: json.files })
  })
})

describe("a patch of a text that is not UTF-8", () => {
  /** "Größe" as Latin-1 has it, before and after. */
  async function latin1(): Promise<FilesBench> {
    const bench = new FilesBench()
    await bench.ask("run printf 'Gr\\366\\337e\\nold\\n' > a.txt", "run printf 'Gr\\366\\337e\\nf\\374r\\n' > a.txt")
    return bench
  }

  test("is what git applies, to the byte", async () => {
    const bench = await latin1()
    const { bytes } = await bench.run(["diff"])
    const file = join(bench.cwd, "a.txt")
    expect(readFileSync(file, "latin1")).toBe("Größe\nfür\n")
    const env = { ...bench.env, HOME: bench.folder, GIT_CEILING_DIRECTORIES: bench.folder }
    execFileSync("git", ["apply", "--reverse", "-"], { cwd: bench.cwd, env, input: bytes })
    expect(readFileSync(file, "latin1")).toBe("Größe\nold\n")
    execFileSync("git", ["apply", "-"], { cwd: bench.cwd, env, input: bytes })
    expect(readFileSync(file, "latin1")).toBe("Größe\nfür\n")
  })

  test("can be read on a screen and as JSON, with a mark for each such byte", async () => {
    const bench = await latin1()
    expect(await bench.done("diff", { colours: true })).toContain("+f\ufffdr")
    expect(JSON.parse(await bench.done("diff --json"))).toMatchObject({ patch: expect.stringContaining("+f\ufffdr\n") })
  })
})

describe("blame", () => {
  test("shows lines as they are in the file: whole in a pipe, clipped on a screen", async () => {
    const bench = new FilesBench()
    const long = `        return "${"word ".repeat(20)}"`
    bench.put("a.py", `def f():\n    if  x:\n${long}\n`)
    await bench.ask("create other.txt with x")
    const piped = await bench.done("blame a.py")
    expect(piped.split("\n").slice(1, 3)).toEqual([
      `${"you, or before".padEnd(30)} 2      if  x:`,
      `${"you, or before".padEnd(30)} 3  ${long}`,
    ])
    for (const width of [40, 60, 80]) {
      const shown = await bench.done("blame a.py", { isTerminal: true, width, settings: { pager: "never" } })
      for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(width)
      expect(shown).toMatch(/ 3 {10}return "w.*…\n/)
    }
  })

  test("says which prompt last changed a line, and which are yours", async () => {
    const bench = await twoRounds()
    bench.put("a.txt", "mine\none\nTWO\nthree\n")
    const prompts = JSON.parse(await bench.done("prompts --json")) as { id: string }[]
    const blamed = JSON.parse(await bench.done("blame a.txt --json")) as { text: string; prompt: string | null }[]
    expect(blamed.map(({ text, prompt }) => [text.trim(), prompt])).toEqual([
      ["mine", null],
      ["one", prompts[0]?.id],
      ["TWO", prompts[1]?.id],
      ["three", prompts[1]?.id],
    ])
    expect((await bench.done("blame a.txt 1")).trim()).toMatch(/^you, or before +1 +mine$/)
    expect(await bench.done("blame a.txt 3")).toMatch(/^[0-9a-f]{6} run printf.* 3 {2}TWO\n$/)
    expect(await bench.run(["blame", "a.txt", "9"])).toMatchObject({ exit: 1 })
    expect(await bench.run(["blame", "none.txt", "--json"])).toMatchObject({ exit: 1 })
    const folder = await bench.run(["blame", "."])
    expect([folder.exit, folder.err]).toEqual([1, "retcon: . is a folder.\n  Name a file in it.\n"])
  })
})

test("blame asks every session here: each line has its session and prompt, also from a folder below", async () => {
  const bench = new FilesBench()
  bench.put("sub/a.txt", "mine\n")
  await bench.run(["run", "--mode", "yolo", "run echo first >> sub/a.txt"])
  await bench.run(["run", "--mode", "yolo", "run echo second >> sub/a.txt"])
  const [last, first] = (JSON.parse(await bench.done("ls --json")) as { id: string }[]).map(({ id }) => id)
  bench.cwd = join(bench.cwd, "sub")
  type Line = { text: string; session: string | null; agent: string | null; known: string | null }
  const lines = JSON.parse(await bench.done("blame a.txt --json")) as Line[]
  expect(lines.map(({ text, session, agent, known }) => [text, session, agent, known])).toEqual([
    ["mine", null, null, null],
    ["first", first, "retcon", "snapshots"],
    ["second", last, "retcon", "snapshots"],
  ])
  const { out, err } = await bench.run(["blame", "a.txt"])
  expect(out).toMatch(/^you, or before +1 {2}mine\n[0-9a-f]{6} [0-9a-f]{6} run echo fi.* 2 {2}first\n.* 3 {2}second\n$/)
  expect(err.split("\n").filter((line) => line.startsWith("Session "))).toHaveLength(2)
})

describe("gc", () => {
  test("a dry run shows what there is and the budget, and drops nothing", async () => {
    const bench = await twoRounds()
    expect(await bench.done("gc --dry-run")).toMatch(
      /Would free .* from snapshots; .* remain, of a budget of 2\.0 GB\./,
    )
    expect(await bench.done("diff --stat")).toContain("a.txt")
  })

  test("keeps the snapshots of a session that cannot be opened, such as one of a newer version", async () => {
    const bench = await twoRounds()
    const [session] = JSON.parse(await bench.done("ls --json")) as { id: string; file: string }[]
    const { id = "", file = "" } = session ?? {}
    await bench.run(["run", "--mode", "yolo", "create other.txt with x"])
    const log = readFileSync(file, "utf8")
    writeFileSync(file, log.replace('"reads":1', '"reads":99'))
    longAgo(join(bench.home, "workspaces"))
    await bench.done("gc")
    writeFileSync(file, log)
    await bench.done(`goto @1 -s ${id} --files restore --dry-run`)
  })

  test("keeps the snapshots that records of a newer version name, in a session that can be read", async () => {
    const bench = await twoRounds()
    const [session] = JSON.parse(await bench.done("ls --json")) as { id: string; file: string }[]
    const { id = "", file = "" } = session ?? {}
    await bench.run(["run", "--mode", "yolo", "create other.txt with x"])
    const log = readFileSync(file, "utf8")
    const newer = log.replace('"writes":1', '"writes":99').replaceAll('"type":"snapshot"', '"type":"pictures"')
    writeFileSync(file, newer)
    expect(await bench.done(`log -s ${id}`)).toContain("run printf")
    longAgo(join(bench.home, "workspaces"))
    await bench.done("gc")
    writeFileSync(file, log)
    await bench.done(`goto @1 -s ${id} --files restore --dry-run`)
  })

  test("keeps the snapshots that our log beside another agent's session names", async () => {
    const bench = await twoRounds()
    const [session] = JSON.parse(await bench.done("ls --json")) as { id: string; file: string }[]
    const { id = "", file = "" } = session ?? {}
    await bench.run(["run", "--mode", "yolo", "create other.txt with x"])
    const beside = join(bench.home, "foreign", "pi", `${id}.jsonl`)
    mkdirSync(dirname(beside), { recursive: true })
    renameSync(file, beside)
    longAgo(join(bench.home, "workspaces"))
    await bench.done("gc")
    renameSync(beside, file)
    await bench.done(`goto @1 -s ${id} --files restore --dry-run`)
  })

  test("never drops what an entry names unless told to; then it says so, and deletes no file", async () => {
    const bench = await twoRounds()
    await bench.done("config workspace.budget 1")
    expect(await bench.done("gc")).toContain("Drop the oldest with: retcon gc --drop-oldest")
    await bench.done("diff @1 @2 --stat")
    expect(await bench.done("gc --drop-oldest --dry-run")).not.toContain("Would drop")
    longAgo(join(bench.home, "workspaces"))
    expect(await bench.done("gc --drop-oldest --dry-run")).toMatch(
      /Would drop \d snapshots?, the oldest first: files could not be restored to those points any more\.\n.* and those of where sessions are now\.\n$/,
    )
    const dropped = JSON.parse(await bench.done("gc --drop-oldest --json")) as { snapshots: { dropped: string[] } }
    expect(dropped.snapshots.dropped.length).toBeGreaterThan(0)
    expect(await bench.done("gc --drop-oldest")).not.toMatch(/gave up|--drop-oldest/i)
    const gone = "a snapshot that this needs is gone"
    const planned = await bench.done("goto @1 --dry-run")
    expect(planned).toContain(`Only the conversation can move: ${gone}.`)
    expect(planned).toContain("1 file differs from that point (it cannot be restored):")
    const modes = { conversation: null, files: gone, both: gone }
    expect(JSON.parse(await bench.done("goto @1 --dry-run --json"))).toMatchObject({ modes, notRestorable: gone })
    const refused = await bench.run(["goto", "@1", "--files", "restore"])
    expect(refused.exit).toBe(1)
    expect(refused.err).toContain("no longer available")
    expect(bench.get("a.txt")).toBe("one\nTWO\nthree\n")
    const moved = await bench.done("goto @1")
    expect(moved.replaceAll("\n", " ")).toContain(`(it cannot be restored: ${gone}):`)
  })
})

describe("what is not covered", () => {
  test("is reported by run when a snapshot first meets it, and by every restore", async () => {
    const bench = new FilesBench()
    await bench.done("config workspace.maxFileSize 2KB")
    bench.put("large.bin", "x".repeat(5000))
    const [first, second] = await bench.ask("create a.txt with one", "create b.txt with two")
    expect(first?.err).toContain("! Not covered by snapshots: large.bin (large). retcon cannot restore them.")
    expect(second?.err).toContain("large.bin")
    expect(await bench.done("back --files restore")).toContain("Not covered by snapshots: large.bin (large)")
    const events = await bench.run(["run", "--mode", "yolo", "--json", "create c.txt with three"])
    expect(events.out).toContain('{"type":"not-covered","files":[{"path":"large.bin","because":"large"}]}')
  })

  test("a folder with too many files is not covered until allowed, and says how", async () => {
    const bench = new FilesBench()
    await bench.done("config workspace.maxFiles 5")
    for (let i = 0; i < 8; i++) bench.put(`f${i}.txt`, "x")
    const [ran] = await bench.ask("create a.txt with one")
    expect(ran?.err).toContain("has more than 5 files. Open retcon in a smaller folder, or allow more: retcon config")
    await bench.done("config workspace.maxFiles 100")
    const [again] = await bench.ask("create b.txt with two")
    expect(again?.err).not.toContain("more than")
    await bench.done("undo --files restore")
    expect(bench.get("b.txt")).toBeUndefined()
  })

  test("a home directory is not covered until allowed", async () => {
    const bench = new FilesBench()
    bench.env = { ...bench.env, HOME: bench.cwd }
    const [ran] = await bench.ask("create a.txt with one")
    expect(ran?.err).toContain("is a home directory")
    expect(readdirSync(bench.home)).not.toContain("workspaces")
    expect((await bench.run(["undo", "--files", "restore", "--json"])).error()).toMatchObject({ code: "no-workspace" })
    await bench.done("config workspace.allowAny true")
    await bench.ask("create b.txt with two")
    await bench.done("undo --files restore")
    expect(bench.get("b.txt")).toBeUndefined()
  })

  test("settings that make no sense are named, and the default is used", async () => {
    const bench = new FilesBench()
    mkdirSync(bench.home, { recursive: true })
    writeFileSync(join(bench.home, "config.json"), '{"workspace":{"maxFiles":"many","include":["*.log"]}}')
    const [ran] = await bench.ask("create a.txt with one")
    expect(ran?.err).toContain(
      'config.json has a problem: "workspace.maxFiles" must be a number. retcon uses the default.',
    )
    expect(await bench.done("config workspace.include")).toBe("*.log\n")
    expect((await bench.run(["config", "workspace.budget", "much", "--json"])).error()).toMatchObject({
      code: "invalid",
    })
  })
})
