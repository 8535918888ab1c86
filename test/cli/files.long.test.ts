// back, goto, undo, redo and restore with the files of the workspace, as a person sees them.
import { execFileSync } from "node:child_process"
import { rmSync, symlinkSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { FilesBench } from "./files-bench.ts"

async function threeRounds(): Promise<FilesBench> {
  const bench = new FilesBench()
  bench.put("own.txt", "mine\n")
  await bench.ask("create a.txt with one", "create b.txt with two", "run echo three > c.txt; rm a.txt")
  return bench
}

const files = (bench: FilesBench) => ["a.txt", "b.txt", "c.txt", "own.txt"].map((path) => bench.get(path)?.trim())

describe("moves with files", () => {
  test("back --files restore takes the round's changes back, says which, and undo and redo repeat it", async () => {
    const bench = await threeRounds()
    const said = await bench.done("back --files restore")
    expect(said).toContain("Changed 2 files:\n  A a.txt  +1 −0\n  D c.txt  +0 −1\n")
    expect(said).not.toContain("perhaps by you")
    expect(files(bench)).toEqual(["one", "two", undefined, "mine"])
    await bench.done("undo")
    expect(files(bench)).toEqual([undefined, "two", "three", "mine"])
    await bench.done("redo")
    expect(files(bench)).toEqual(["one", "two", undefined, "mine"])
  })

  test("back alone keeps the files, says which differ and how to restore them", async () => {
    const bench = await threeRounds()
    const said = await bench.done("back")
    expect(said.replaceAll("\n", " ")).toContain(
      "Files stay as they are. 2 files differ from that point (to restore them too, take this back and repeat it with --files restore):",
    )
    expect(files(bench)).toEqual([undefined, "two", "three", "mine"])
    expect(await bench.done("restore head")).toContain("The conversation stays.")
    expect(files(bench)).toEqual(["one", "two", undefined, "mine"])
  })

  test("goto PROMPT --files restore goes to before it, by id, and back to another branch", async () => {
    const bench = await threeRounds()
    const prompts = JSON.parse(await bench.done("prompts --json")) as { id: string }[]
    const tip = (JSON.parse(await bench.done("log --json")) as { head: string }).head
    await bench.done(`goto ${prompts[1]?.id} --files restore`)
    expect(files(bench)).toEqual(["one", undefined, undefined, "mine"])
    await bench.ask("create a.txt with other")
    await bench.done(`goto ${tip} --files restore`)
    expect(files(bench)).toEqual([undefined, "two", "three", "mine"])
  })

  test("the setting `files` restores them without being asked", async () => {
    const bench = await threeRounds()
    await bench.done("back", { settings: { files: "restore" } })
    expect(files(bench)).toEqual(["one", "two", undefined, "mine"])
  })

  test("a dry run says what the move then does, and does nothing", async () => {
    const bench = await threeRounds()
    const planned = JSON.parse(await bench.done("back --files restore --dry-run --json")) as Record<string, unknown>
    expect(files(bench)).toEqual([undefined, "two", "three", "mine"])
    expect(planned).toMatchObject({ outcome: "planned", modes: { conversation: null, files: null, both: null } })
    expect(await bench.done("back --files restore --dry-run")).toContain("Would change 2 files:")
    const done = JSON.parse(await bench.done("back --files restore --json")) as Record<string, unknown>
    for (const key of ["head", "left", "files", "kept", "uncertain", "notCovered", "commits"]) {
      expect([key, done[key]]).toEqual([key, planned[key]])
    }
  })

  test("restore ENTRY PATH brings back some files only, and undo takes that back", async () => {
    const bench = await threeRounds()
    expect(await bench.done("restore @3 a.txt")).toContain(
      "Restored 1 path as it was before @3. The conversation stays.",
    )
    expect(files(bench)).toEqual(["one", "two", "three", "mine"])
    expect(await bench.done("undo --dry-run")).toContain("Would undo the last restore. The conversation stays.\n")
    expect(await bench.done("undo")).toContain("Undid the last restore. The conversation stays.\n")
    expect(files(bench)).toEqual([undefined, "two", "three", "mine"])
    expect(await bench.done("restore head")).toContain("Nothing was changed;")
    expect(await bench.done("restore @3 --dry-run")).toContain("This was a dry run: nothing was changed.\n")
  })

  test("restore and diff take a path however it is typed, and refuse one outside by name", async () => {
    const bench = new FilesBench()
    await bench.ask("run mkdir d; echo one > d/a.txt; echo two > b.txt")
    symlinkSync(bench.cwd, `${bench.home}/link`)
    const typed = ["./d/a.txt", "d/", `${bench.cwd}/d`, "d/../d/a.txt", `${bench.home}/link/d/a.txt`]
    for (const path of typed) {
      expect(await bench.done(`diff @1 --stat --path ${path}`)).toBe("A d/a.txt  +1 −0\n1 file differs.\n")
      expect(await bench.done(`restore @1 ${path} --dry-run`)).toContain("Would change 1 file:\n  D d/a.txt")
    }
    expect(await bench.done("restore @1 . --dry-run")).toContain("Would change 2 files:")
    for (const path of ["../outside", "/etc/passwd", "d/../../b.txt"]) {
      for (const command of [
        ["restore", "@1"],
        ["restore", "@1", "b.txt"],
        ["diff", "@1", "--path"],
      ]) {
        const refused = await bench.run([...command, path])
        expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining(`${path} is outside the folder of`)])
      }
    }
    expect(bench.get("b.txt")).toBe("two\n")
  })

  test("restore says so if nothing differs, and mentions nothing else", async () => {
    const bench = new FilesBench()
    await bench.ask("create a.txt with one", "create b.txt with two")
    const said = await bench.done("restore @2 a.txt")
    expect(said).toMatch(/^No file at a.txt differs from @2. Nothing was changed.\nNow at \w+, agent: .*\n$/)
  })

  test("restore of a file that stays says why, and not that no file differs", async () => {
    const bench = new FilesBench()
    bench.put("own.txt", "mine\n")
    await bench.ask("create a.txt with one", "create b.txt with two")
    bench.put("a.txt", "changed\n")
    bench.remove("own.txt")
    const changed = "Kept as it is: a.txt (you changed it since)"
    for (const words of ["restore @1 a.txt", "restore @1 a.txt --dry-run"])
      expect(await bench.done(words)).toMatch(
        /^Nothing was changed\.\n[\s\S]*\nKept as it is: a.txt \(you changed it since\)\n$/,
      )
    expect(await bench.done("restore @1 own.txt")).toContain("own.txt (you deleted it since)")
    expect(await bench.done("restore @1")).toContain(changed)
    const unknown = await bench.run(["restore", "@1", "a.txtt"])
    expect([unknown.exit, unknown.err]).toEqual([1, expect.stringContaining('"a.txtt"')])
    await bench.done("restore @1 own.txt --theirs")
    expect(bench.get("own.txt")).toBe("mine\n")
  })

  test("a file that you changed after the agent made it stays, and is named", async () => {
    const bench = await threeRounds()
    bench.put("c.txt", "three\nand mine\n")
    const said = await bench.done("back --files restore")
    expect(said).toContain("Kept as it is: c.txt (you changed it since)")
    expect(bench.get("c.txt")).toBe("three\nand mine\n")
  })

  test("when the folder is gone the conversation still moves, and it says why the files cannot", async () => {
    const bench = await threeRounds()
    const cwd = bench.cwd
    const id = (JSON.parse(await bench.done("ls --json")) as { id: string }[])[0]?.id ?? ""
    rmSync(cwd, { recursive: true })
    bench.cwd = bench.folder
    const gone = `${cwd} does not exist`
    const refused = await bench.run(["back", "-s", id, "--files", "restore"])
    expect(refused).toMatchObject({ exit: 1, err: expect.stringContaining(`The files are not covered: ${gone}.`) })
    const planned = await bench.done(`back -s ${id} --dry-run`)
    expect(planned).toContain(`Only the conversation can move: ${gone}.`)
    const moved = await bench.done(`back -s ${id}`)
    expect(moved.replaceAll("\n", " ")).toContain(`(they cannot be restored: ${gone}):`)
  })

  test("an ignored file that the agent edited stays, and the restore names it", async () => {
    const bench = new FilesBench()
    bench.put(".gitignore", "*.log\n")
    bench.put("x.log", "one\n")
    await bench.ask("create a.txt with one", "change one to two in x.log", "create b.txt with two")
    expect(await bench.done("goto @3 --files restore --dry-run")).not.toContain("Not covered")
    const stays = "Not covered by snapshots: x.log (ignored)\n"
    expect(await bench.done("restore @2 --dry-run")).toContain(stays)
    expect(await bench.done("restore @2 b.txt --dry-run")).not.toContain("Not covered")
    expect(await bench.done("goto @2 --files restore")).toContain(stays)
    expect([bench.get("x.log"), bench.get("b.txt")]).toEqual(["two\n", undefined])
  })

  test("what rounds without a snapshot changed is named when files are restored past them", async () => {
    const bench = new FilesBench()
    await bench.done("config workspace.maxFiles 1")
    for (const name of ["x", "y"]) bench.put(name, name)
    await bench.ask("create a.txt with one")
    await bench.done("config workspace.maxFiles --unset")
    await bench.ask("create b.txt with two", "read b.txt")
    const stays = "What the agent changed in a.txt stays: what it contained before is not recorded."
    const said = async (words: string) => (await bench.done(words)).replace(/\s+/g, " ")
    expect(await said("goto @2 --files restore --dry-run")).not.toContain("not recorded")
    expect(await said("restore @1 --dry-run")).toContain(`Would change 1 file: D b.txt +0 −1 ${stays}`)
    expect(await said("goto @1 --files restore --dry-run")).toContain(stays)
    const moved = JSON.parse(await bench.done("goto @1 --files restore --json")) as Record<string, unknown>
    expect(moved).toMatchObject({ gaps: { rounds: [{ named: ["a.txt"], commands: 0 }] }, files: [{ path: "b.txt" }] })
    expect(files(bench)).toEqual(["one", undefined, undefined, undefined])
    expect(await said("undo")).not.toContain("not recorded")
  })

  test("commits of the rounds that are left are named, and stay", async () => {
    const bench = new FilesBench()
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: bench.cwd })
    await bench.ask("create a.txt with one", "run git add -A; git -c user.name=a -c user.email=a@b commit -qm made")
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: bench.cwd, encoding: "utf8" }).slice(0, 7)
    const stays = `Commits made since then stay (retcon never touches a repository):\n  ${commit} made\n`
    expect(await bench.done("back --files restore --dry-run")).toContain(stays)
    expect(await bench.done("back --files restore")).toContain(stays)
    const log = execFileSync("git", ["log", "--format=%s"], { cwd: bench.cwd, encoding: "utf8" })
    expect(log).toBe("made\n")
  })
})

describe("conflicts", () => {
  async function conflict(): Promise<FilesBench> {
    const bench = new FilesBench()
    bench.put("a.txt", "one\ntwo\nthree\n")
    await bench.ask("create first.txt with x", "run printf 'one\\nAGENT\\nthree\\n' > a.txt")
    bench.put("a.txt", "one\nPERSON\nthree\n")
    return bench
  }

  test("are shown with file, line and both sides, and nothing is touched", async () => {
    const bench = await conflict()
    const before = await bench.done("log --json")
    const { exit, err } = await bench.run(["back", "--files", "restore"])
    expect(exit).toBe(1)
    expect(err).toBe(
      [
        "a.txt: you and the agent changed the same lines",
        "  line 2, now:",
        "    PERSON",
        "  then:",
        "    two",
        "retcon: You and the agent changed a.txt in the same place. Nothing was touched.",
        "  Try again with one of these: --ours keeps these lines as they are now, --theirs puts them back as they were then, --write-conflicts writes both.\n",
      ].join("\n"),
    )
    expect(bench.get("a.txt")).toBe("one\nPERSON\nthree\n")
    expect(await bench.done("log --json")).toBe(before)
  })

  test.each(["back", "undo", "goto @2", "restore @2"])(
    "are in the output of %s --json, with the same lines",
    async (words) => {
      const bench = await conflict()
      const files = words.startsWith("restore") ? [] : ["--files", "restore"]
      const { err } = await bench.run([...words.split(" "), ...files, "--json"])
      expect(JSON.parse(err)).toEqual({
        error: {
          code: "conflicts",
          message: "You and the agent changed a.txt in the same place. Nothing was touched.",
          hint: expect.stringContaining("--ours"),
          advice: expect.arrayContaining([{ do: "resolve", choice: "ours" }]),
          conflicts: [
            {
              path: "a.txt",
              because: "content",
              parts: [{ line: 2, lines: 1, now: "PERSON\n", before: "two\n" }],
            },
          ],
        },
      })
    },
  )

  test("with another session say which one, and not that it was you", async () => {
    const bench = await conflict()
    const ids = async () => (JSON.parse(await bench.done("ls --json")) as { id: string }[]).map(({ id }) => id)
    const [first = ""] = await ids()
    const made = await bench.run(["run", "--mode", "yolo", "run printf 'one\\nOTHER\\nthree\\n' > a.txt"])
    expect(made.exit).toBe(0)
    const named = `session ${(await ids()).find((id) => id !== first)?.slice(-6)}`
    const { err } = await bench.run(["back", "--files", "restore", "-s", first])
    expect(err).toContain(`a.txt: ${named} and this session changed the same lines\n`)
    expect(err).toContain(
      `${named.replace("s", "S")} and this session changed a.txt in the same place. Nothing was touched.`,
    )
    expect(err).not.toContain("you")
  })

  const ways: [string, string][] = [
    ["--ours", "one\nPERSON\nthree\n"],
    ["--theirs", "one\ntwo\nthree\n"],
    ["--write-conflicts", "<<<<<<<"],
  ]
  test.each(ways)("%s settles them, and undo gives your version back", async (flag, expected) => {
    const bench = await conflict()
    await bench.done(`back --files restore ${flag}`)
    expect(bench.get("a.txt")).toContain(expected)
    await bench.done("undo")
    expect(bench.get("a.txt")).toBe("one\nPERSON\nthree\n")
  })

  test("choosing how to settle one in a move that leaves the files alone is refused, and the conversation stays", async () => {
    const bench = await conflict()
    const before = await bench.done("log --json")
    for (const words of ["back --theirs", "goto @2 --ours", "undo --files keep --write-conflicts", "undo --theirs"]) {
      const { exit, err } = await bench.run(words.split(" "))
      expect([words, exit, err]).toEqual([words, 1, expect.stringContaining("Use --files restore")])
    }
    expect(await bench.done("log --json")).toBe(before)
    await bench.done("back --theirs", { settings: { files: "restore" } })
    expect(bench.get("a.txt")).toBe("one\ntwo\nthree\n")
  })
})
