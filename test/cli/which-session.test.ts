// A command without -s means the latest session here, whoever's it is, and says which one it took.
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { foldersHere } from "../../src/app/library/repository-sessions.ts"
import { sessionIdOf } from "../../src/formats/ids.ts"
import { shortId } from "../../src/model/id.ts"
import { Bench } from "./bench.ts"
import { CLAUDE_NAME, putClaudeSession } from "./claude-session.ts"

const CLAUDE = shortId(sessionIdOf("claude-code", CLAUDE_NAME))

/** A session of Claude Code, last used so many minutes after the bench's clock began. */
function claudeAt(bench: Bench, minutes: number, cwd = bench.cwd): string {
  const { file } = putClaudeSession({ folder: bench.folder, cwd })
  const at = new Date(Date.parse("2026-01-02T03:04:05.000Z") + minutes * 60_000)
  writeFileSync(file, readFileSync(file, "utf8").replace(/"timestamp":"[^"]+"/g, `"timestamp":"${at.toISOString()}"`))
  utimesSync(file, at, at)
  return file
}

function repository(folder: string): void {
  mkdirSync(join(folder, ".git"), { recursive: true })
  writeFileSync(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n")
}

describe("one of retcon's own and a newer one of Claude Code", () => {
  test("the newer one is meant by every command, and named", async () => {
    const bench = new Bench()
    await bench.session(1)
    claudeAt(bench, 60)
    const { out, err } = await bench.run(["prompts"])
    expect(out).not.toContain("ask 1")
    expect(err).toMatch(new RegExp(`^Session ${CLAUDE} of Claude Code: .+\n$`))
    for (const words of [
      ["back", "--dry-run"],
      ["undo", "--dry-run"],
      ["label", "@1"],
      ["show", "--context"],
    ])
      expect([words, (await bench.run(words)).err]).toEqual([words, expect.stringContaining(`Session ${CLAUDE} of `)])
  })

  test("the commands that an answer advises name it too", async () => {
    const bench = new Bench()
    await bench.session(1)
    claudeAt(bench, 60)
    expect((await bench.run(["back", "--even-if-running"])).out).toContain(
      `Take this back with: retcon undo -s ${CLAUDE}`,
    )
    expect((await bench.run(["back", "99"])).err).toContain(`retcon goto @1 -s ${CLAUDE}`)
  })

  test("if retcon's own is newer, that one is meant, and named among two", async () => {
    const bench = new Bench()
    claudeAt(bench, -60)
    const own = await bench.session(2)
    const { out, err } = await bench.run(["back"])
    expect(err).toBe(`Session ${shortId(own.id)} of retcon: ask 1\n`)
    expect(out).toContain(`Take this back with: retcon undo -s ${shortId(own.id)}`)
    expect((await bench.run(["back", "99"])).err).toContain(`retcon goto @1 -s ${shortId(own.id)}`)
  })

  test("with JSON, standard error stays empty: scripts read errors there", async () => {
    const bench = new Bench()
    await bench.session(1)
    claudeAt(bench, 60)
    expect((await bench.run(["prompts", "--json"])).err).toBe("")
  })
})

test("a session that is alone here is not named, and need not be", async () => {
  const bench = new Bench()
  await bench.session(2)
  const { out, err } = await bench.run(["back"])
  expect([err, out]).toEqual(["", expect.stringMatching(/Take this back with: retcon undo\n$/)])
})

test("a session named with -s is named in what to type next", async () => {
  const bench = new Bench()
  const first = await bench.session(2)
  await bench.session(2)
  const name = shortId(first.id)
  expect((await bench.run(["back", "-s", name])).out).toContain(`Take this back with: retcon undo -s ${name}\n`)
})

describe("two that were both used just now", () => {
  const both = async () => {
    const bench = new Bench()
    const own = await bench.session(2)
    claudeAt(bench, 0)
    return { bench, own: shortId(own.id) }
  }

  test("are listed, and nothing is done, if nobody can be asked", async () => {
    const { bench, own } = await both()
    const { exit, err } = await bench.run(["back"])
    expect(exit).toBe(1)
    expect(err).toContain("it is not clear which one you mean. Nothing was done.")
    expect(err).toContain(`Name one with -s: ${own} (retcon) ask 1, ${CLAUDE} (Claude Code)`)
    expect((await bench.run(["prompts", "--json"])).error().code).toBe("ambiguous")
  })

  test("are offered to a person, who chooses one, or none", async () => {
    const { bench, own } = await both()
    const { err } = await bench.run(["prompts"], { answer: "2" })
    expect(err).toContain(`1  ${own}`)
    expect(err).toContain(`\nSession ${CLAUDE} of Claude Code`)
    expect(bench.asked).toEqual(["Which one? [1-2] "])
    expect((await bench.run(["prompts"], { answer: "" })).exit).toBe(1)
  })

  test("of retcon's own, the last one is meant: a person uses them one after the other", async () => {
    const bench = new Bench()
    await bench.session(2)
    const last = await bench.session(2)
    expect((await bench.run(["back", "--json"])).json()).toMatchObject({ session: last.id })
  })
})

test("a copy that was just made for another agent is not meant until that agent has continued it", async () => {
  const bench = new Bench()
  const own = await bench.session(2)
  const made = (await bench.run(["export", "--to", "claude-code", "--json"])).json() as {
    session: string
    files: { path: string }[]
  }
  expect((await bench.run(["back", "--json"])).json()).toMatchObject({ session: own.id })
  const [file] = made.files.map(({ path }) => path)
  const last =
    readFileSync(file ?? "", "utf8")
      .trimEnd()
      .split("\n")
      .at(-1) ?? ""
  appendFileSync(file ?? "", `${last.replace(/"uuid":"[^"]+"/, '"uuid":"00000000-0000-4000-8000-000000000001"')}\n`)
  const now = new Date(Date.parse("2026-01-02T03:04:05.000Z"))
  utimesSync(file ?? "", now, now)
  expect((await bench.run(["prompts", "--json"])).error().code).toBe("ambiguous")
})

describe("in a sub-folder", () => {
  test("the session of the folder above is meant, and its folder named", async () => {
    const bench = new Bench()
    const top = bench.cwd
    const { id } = await bench.session(2)
    bench.cwd = join(top, "src", "deep")
    mkdirSync(bench.cwd, { recursive: true })
    const { out, err } = await bench.run(["back"])
    expect(err).toBe(`Session ${shortId(id)} of retcon, in ${top}: ask 1\n`)
    expect(out).toContain("Went back 1 round.")
  })

  test("of one repository, the latest session of both folders is meant", async () => {
    const bench = new Bench()
    const top = bench.cwd
    repository(top)
    await bench.session(2, join(top, "src"))
    const last = await bench.session(2)
    bench.cwd = join(top, "src")
    mkdirSync(bench.cwd)
    expect((await bench.run(["back", "--json"])).json()).toMatchObject({ session: last.id })
  })

  test("of another project, or of the person's home, nothing is meant as long as there is something nearer", () => {
    const bench = new Bench()
    const [home, project] = [join(bench.folder, "person"), join(bench.folder, "person", "code", "shop")]
    mkdirSync(join(project, "src"), { recursive: true })
    const above = [bench.folder, join(bench.folder, "..")].map((folder) => [join(folder)])
    expect(foldersHere(join(project, "src"), home).slice(0, 5)).toEqual([
      [join(project, "src")],
      [project],
      [join(home, "code")],
      ...above,
    ])
    repository(project)
    expect(foldersHere(join(project, "src"), home).slice(0, 2)).toEqual([
      [join(project, "src"), project],
      [join(home, "code")],
    ])
  })
})
