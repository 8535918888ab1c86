// A folder that was renamed or moved takes its sessions and snapshots along, and can give them back.
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { directorySlug } from "../../src/store/file/disk/layout.ts"
import { FilesBench } from "./files-bench.ts"

interface Listed {
  id: string
  cwd: string
  updated: string
}

/** A project with two rounds of changes, in a folder that then gets another name. */
async function renamed(): Promise<{ bench: FilesBench; old: string }> {
  const bench = new FilesBench()
  bench.put("own.txt", "mine\n")
  await bench.ask("create a.txt with one", "create b.txt with two")
  return { bench, old: rename(bench, "renamed") }
}

/** Answers where it was. */
function rename(bench: FilesBench, name: string): string {
  const old = bench.cwd
  bench.cwd = join(bench.folder, name)
  renameSync(old, bench.cwd)
  return old
}

const listed = async (bench: FilesBench) => JSON.parse(await bench.done("ls --json")) as Listed[]
const files = (bench: FilesBench) => ["a.txt", "b.txt", "own.txt"].map((path) => bench.get(path)?.trim())

describe("retcon moved", () => {
  test("brings the sessions of a renamed folder along: files go back, undo and redo work", async () => {
    const { bench, old } = await renamed()
    expect(await listed(bench)).toEqual([])
    const said = await bench.done(`moved ${old}`)
    expect(said).toBe(
      `Moved 1 session, with the snapshots:\n  ${old} → ${bench.cwd} (1)\nUndo it with: retcon moved ${old} --undo\n`,
    )
    expect((await listed(bench)).map(({ cwd }) => cwd)).toEqual([bench.cwd])
    await bench.done("back --files restore")
    expect(files(bench)).toEqual(["one", undefined, "mine"])
    await bench.done("undo")
    expect(files(bench)).toEqual(["one", "two", "mine"])
    await bench.ask("create c.txt with three")
    await bench.done("back 2 --files restore")
    expect([...files(bench), bench.get("c.txt")]).toEqual(["one", undefined, "mine", undefined])
    expect(await bench.done("diff --stat @1")).toContain("a.txt")
  })

  test("the sessions keep their times and their order: the one used last is still the first", async () => {
    const bench = new FilesBench()
    for (const rounds of [1, 2]) await bench.session(rounds)
    const told = async () => (await listed(bench)).map(({ id, updated }) => `${id} ${updated}`)
    const before = await told()
    await bench.done(`moved ${rename(bench, "renamed")}`)
    expect(await told()).toEqual(before)
  })

  test("renamed back, the sessions follow again, and what was done in between is theirs", async () => {
    const { bench, old } = await renamed()
    await bench.done(`moved ${old}`)
    await bench.ask("create c.txt with three")
    const between = rename(bench, "project")
    expect(bench.cwd).toBe(old)
    await bench.done(`moved ${between}`)
    await bench.done("goto start --files restore")
    expect([...files(bench), bench.get("c.txt")]).toEqual([undefined, undefined, "mine", undefined])
  })

  test("--undo gives back what came from there, and leaves what was started here with its snapshots", async () => {
    const { bench, old } = await renamed()
    await bench.done(`moved ${old}`)
    const [first] = await listed(bench)
    await bench.run(["run", "--mode", "yolo", "create n.txt with new"])
    const second = (await listed(bench)).find(({ id }) => id !== first?.id)
    expect(await bench.done(`moved ${old} --undo`)).toContain("Moved 1 session")
    expect((await listed(bench)).map(({ id }) => id)).toEqual([second?.id])
    const roots = readdirSync(join(bench.home, "workspaces")).map((id) =>
      readFileSync(join(bench.home, "workspaces", id, "root"), "utf8"),
    )
    expect(roots.sort()).toEqual([old, bench.cwd].sort())
    await bench.done("goto start --files restore")
    expect(bench.get("n.txt")).toBeUndefined()
    await bench.done(`moved ${old}`)
    await bench.done(`back -s ${first?.id} --files restore`)
    expect(files(bench)).toEqual(["one", undefined, "mine"])
  })

  test("sessions of the folders inside it move too, and join those that are already there", async () => {
    const bench = new FilesBench()
    const top = bench.cwd
    await bench.ask("create a.txt with one")
    mkdirSync(join(top, "sub"))
    bench.cwd = join(top, "sub")
    await bench.run(["run", "--mode", "yolo", `create big.txt with ${"x".repeat(40_000)}`])
    bench.cwd = top
    const old = rename(bench, "other")
    await bench.run(["run", "--mode", "yolo", "create here.txt with here"])
    await bench.done(`moved ${old}`)
    expect(await listed(bench)).toHaveLength(2)
    bench.cwd = join(bench.folder, "other", "sub")
    const [inside] = await listed(bench)
    expect(inside?.cwd).toBe(bench.cwd)
    expect(await bench.done("doctor")).not.toContain("missing")
    await bench.done("goto start --files restore")
    expect(bench.get("big.txt")).toBeUndefined()
    bench.cwd = join(bench.folder, "other")
    for (const { id } of await listed(bench)) await bench.done(`goto start -s ${id} --files restore`)
    expect([bench.get("a.txt"), bench.get("here.txt")]).toEqual([undefined, undefined])
    expect(readdirSync(join(bench.home, "sessions"))).not.toContain(directorySlug(old))
  })

  test("a new folder at the old place has its own snapshots, and gc in either drops none of the other's", async () => {
    const { bench, old } = await renamed()
    await bench.done(`moved ${old}`)
    const moved = bench.cwd
    bench.cwd = old
    mkdirSync(old)
    await bench.run(["run", "--mode", "yolo", "create other.txt with other"])
    expect(readdirSync(join(bench.home, "workspaces"))).toHaveLength(2)
    await bench.done("gc")
    bench.cwd = moved
    await bench.done("gc")
    await bench.done("back --files restore")
    expect(files(bench)).toEqual(["one", undefined, "mine"])
    bench.cwd = old
    await bench.done("goto start --files restore")
    expect(bench.get("other.txt")).toBeUndefined()
  })

  test("interrupted after the logs were moved, it is finished by running it again", async () => {
    const { bench, old } = await renamed()
    const sessions = join(bench.home, "sessions")
    renameSync(join(sessions, directorySlug(old)), join(sessions, directorySlug(bench.cwd)))
    expect((await listed(bench)).map(({ cwd }) => cwd)).toEqual([old])
    await bench.done(`moved ${old}`)
    expect((await listed(bench)).map(({ cwd }) => cwd)).toEqual([bench.cwd])
    await bench.done("back --files restore")
    expect(files(bench)).toEqual(["one", undefined, "mine"])
  })

  test("interrupted between two logs, both are listed, have their contents and are named by running it again", async () => {
    const bench = new FilesBench()
    const texts = ["x", "y"].map((letter) => letter.repeat(40_000))
    for (const text of texts) await bench.run(["run", "--mode", "yolo", `create big.txt with ${text}`])
    const old = rename(bench, "renamed")
    const [from, to] = [old, bench.cwd].map((cwd) => join(bench.home, "sessions", directorySlug(cwd))) as [
      string,
      string,
    ]
    cpSync(join(from, "blobs"), join(to, "blobs"), { recursive: true })
    const log = readdirSync(from).find((name) => name.endsWith(".jsonl")) ?? ""
    renameSync(join(from, log), join(to, log))
    expect(await listed(bench)).toHaveLength(1)
    await bench.done(`moved ${old}`)
    expect((await listed(bench)).map(({ cwd }) => cwd)).toEqual([bench.cwd, bench.cwd])
    expect(existsSync(from)).toBe(false)
    for (const { id } of await listed(bench)) expect(await bench.done(`doctor -s ${id}`)).not.toContain("blob")
  })

  test("a session whose folder is gone says how to bring it along, and the shell completes the folder", async () => {
    const { bench, old } = await renamed()
    const [session] = JSON.parse(await bench.done("ls --all --json")) as Listed[]
    const ran = await bench.run(["back", "-s", session?.id ?? "", "--files", "restore"])
    expect([ran.exit, ran.err.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining(`run: retcon moved ${old}`)])
    expect(await bench.done("complete moved /")).toContain(`${old}\t1 session`)
  })

  test("what is restored from the trash later is listed here as well", async () => {
    const { bench, old } = await renamed()
    const [session] = await bench.session(1, old).then(({ id }) => [id])
    await bench.done(`rm -y ${session}`)
    await bench.done(`moved ${old}`)
    await bench.done(`rm --restore ${session}`)
    expect((await listed(bench)).map(({ id }) => id)).toContain(session)
    await bench.done(`moved ${old}`)
    expect((await listed(bench)).map(({ cwd }) => cwd)).toEqual([bench.cwd, bench.cwd])
  })
})

describe("retcon moved refuses", () => {
  test("while the old folder is there, unless it is forced", async () => {
    const { bench, old } = await renamed()
    mkdirSync(old)
    const ran = await bench.run(["moved", old])
    expect([ran.exit, ran.err]).toEqual([
      1,
      `retcon: ${old} is still there, and its sessions belong to it.\n  If they should belong to this folder instead: retcon moved ${old} --force\n`,
    ])
    expect(await listed(bench)).toEqual([])
    await bench.done(`moved ${old} --force`)
    expect(await listed(bench)).toHaveLength(1)
  })

  test("while a turn runs in one of the sessions, and nothing has moved then", async () => {
    const { bench, old } = await renamed()
    const busy = await bench.session(1, join(old, "sub"))
    const log = await bench.cli().store.open(busy.id)
    writeFileSync(
      (log.file ?? "").replace(/jsonl$/, "lease"),
      JSON.stringify({ pid: process.ppid, host: "elsewhere", started: "1" }),
    )
    await log.close()
    const ran = await bench.run(["moved", old])
    expect([ran.exit, ran.err]).toEqual([1, expect.stringContaining("is running a turn")])
    expect(readdirSync(join(bench.home, "sessions")).sort()).toEqual([old, join(old, "sub")].map(directorySlug).sort())
    expect(existsSync(join(bench.home, "sessions", directorySlug(bench.cwd)))).toBe(false)
  })

  test("what makes no sense, with a message", async () => {
    const { bench } = await renamed()
    expect((await bench.run(["moved", "."])).err).toContain("is this folder")
    expect((await bench.run(["moved", "..", "--force"])).err).toContain("This folder is inside")
    expect((await bench.run(["moved", "/nowhere/at/all"])).err).toContain(
      'No session belongs to the folder "/nowhere/at/all".',
    )
    expect((await bench.run(["moved", "/nowhere", "--undo"])).err).toContain(
      'No session belongs to the folder "/nowhere".',
    )
  })

  test("nothing on a dry run or a no, and both say what would be moved", async () => {
    const { bench, old } = await renamed()
    expect(await bench.done(`moved ${old} --dry-run`)).toContain("Would move 1 session, with the snapshots:")
    const dry = JSON.parse(await bench.done(`moved ${old} --dry-run --json`)) as Record<string, unknown>
    expect(dry).toMatchObject({ from: old, to: bench.cwd, dryRun: true, folders: [{ from: old, to: bench.cwd }] })
    const asked = await bench.run(["moved", old], { answer: "n" })
    expect([asked.exit, asked.out]).toEqual([1, `  ${old} → ${bench.cwd} (1)\nNothing was changed.\n`])
    expect(await listed(bench)).toEqual([])
  })
})

describe("in a folder without sessions", () => {
  const git = (bench: FilesBench, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: bench.cwd, stdio: "pipe" })

  /** A repository with a session, in a folder that then gets another name. */
  async function renamedRepository(): Promise<{ bench: FilesBench; old: string }> {
    const bench = new FilesBench()
    for (const name of ["one", "two", "three", "four"]) bench.put(`src/${name}.txt`, `${name}\n`)
    git(bench, "init", "-q")
    git(bench, "add", ".")
    git(bench, "commit", "-qm", "first")
    await bench.ask("create a.txt with one")
    return { bench, old: rename(bench, "renamed repository") }
  }

  test("ls, run -c and every command that needs a session offer those of the folder that became this one", async () => {
    const { bench, old } = await renamed()
    const offer = `Bring it here with: retcon moved ${old}\n`
    expect(await bench.done("ls", { width: 300 })).toBe(
      `There are no sessions in this directory.\nSee all with: retcon ls --all\n${old} is gone and has 1 session; its files are here.\n${offer}`,
    )
    const needed = await bench.run(["back"])
    expect([needed.exit, needed.err]).toEqual([
      1,
      `retcon: There is no session in ${bench.cwd}. ${old} is gone, and seems to have been moved here.\n  Move its sessions here with: retcon moved ${old}\n`,
    ])
    const ran = await bench.run(["run", "-c", "--mode", "yolo", "say hi"])
    expect(ran.err).toContain(offer)
    expect(await bench.done("ls")).not.toContain("moved")
  })

  test("a repository is known by its commits, on another branch with other files too", async () => {
    const { bench, old } = await renamedRepository()
    git(bench, "switch", "-qc", "other")
    for (const name of ["one", "two", "three"]) bench.remove(`src/${name}.txt`)
    git(bench, "commit", "-qam", "without them")
    git(bench, "gc", "-q")
    expect(await bench.done("ls", { width: 300 })).toContain(
      `${old} is gone and has 1 session; its repository is this one.\n`,
    )
    await bench.done(`moved ${old}`)
    await bench.done("goto start --files restore")
    expect(bench.get("a.txt")).toBeUndefined()
  })

  test("another folder of that repository, a folder with other files and one that is still there are not offered", async () => {
    const { bench } = await renamedRepository()
    const top = bench.cwd
    bench.cwd = join(top, "src")
    expect(await bench.done("ls")).not.toContain("moved")
    bench.cwd = join(bench.folder, "others")
    mkdirSync(bench.cwd)
    for (const name of ["one", "two", "three", "four"]) bench.put(`src/${name}.txt`, "something else\n")
    bench.put("a.txt", "another\n")
    expect(await bench.done("ls")).not.toContain("moved")
    bench.cwd = top
    await bench.ask("create b.txt with two")
    bench.cwd = join(bench.folder, "copy")
    cpSync(top, bench.cwd, { recursive: true })
    expect(await bench.done("ls")).not.toContain(top)
  })

  test("ls --repo lists the sessions of all worktrees, also of one that is gone, each with its folder", async () => {
    const { bench, old } = await renamedRepository()
    await bench.run(["moved", old])
    const top = bench.cwd
    const tree = join(bench.folder, "worktree")
    git(bench, "worktree", "add", "-q", tree)
    git(bench, "clone", "-q", top, join(bench.folder, "clone"))
    for (const folder of [tree, join(top, "src"), join(bench.folder, "clone")]) {
      bench.cwd = folder
      await bench.session(1, folder)
    }
    const folders = async () => {
      const all = JSON.parse(await bench.done("ls --repo --json")) as Listed[]
      return all.map(({ cwd }) => cwd).sort()
    }
    bench.cwd = top
    const wanted = [top, join(top, "src"), tree].sort()
    expect(await folders()).toEqual(wanted)
    bench.cwd = tree
    expect(await folders()).toEqual(wanted)
    bench.cwd = join(top, "src")
    rmSync(tree, { recursive: true })
    expect(await folders()).toEqual(wanted)
    const shown = await bench.done("ls --repo", { width: 300 })
    for (const folder of wanted) expect(shown).toContain(`${folder}\n`)
    bench.cwd = bench.folder
    const outside = await bench.run(["ls", "--repo"])
    expect([outside.exit, outside.err]).toEqual([1, expect.stringContaining("is not in a git repository.")])
  })
})
