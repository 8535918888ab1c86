// Sessions carried over from one agent to another: export --to AGENT, and split.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { AGENTS, CREATABLE } from "../../src/formats/all/formats.ts"
import { Bench } from "./bench.ts"
import { PI_NAME, putPiSession } from "./pi-session.ts"

interface Copied {
  agent: string
  session: string | null
  files: { path: string; bytes: number }[]
  resume: string[]
  lost: { entry: string; what: string }[]
  cwd: string
}

let bench: Bench
let piFile: string
let person: string

beforeEach(() => {
  bench = new Bench()
  bench.later()
  piFile = putPiSession(bench)
  person = join(bench.folder, "person")
})

/** Calls retcon; it must succeed. */
async function done(...words: string[]): Promise<string> {
  const { exit, err, out } = await bench.run(words)
  expect({ words, exit, err }).toMatchObject({ exit: 0 })
  return out
}

async function copied(...words: string[]): Promise<Copied> {
  return JSON.parse(await done(...words, "--json"))
}

/** What was said, as another agent's session has it. */
async function said(session: string): Promise<string> {
  const shown = JSON.parse(await done("prompts", "-s", session, "--json")) as { text: string }[]
  return shown.map(({ text }) => text).join(" | ")
}

function everyFile(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe("export --to AGENT", () => {
  test.each(["claude-code", "codex", "gemini-cli", "kimi-code", "neovate", "pi"])(
    "a session that was created for %s is new in lists, however old its messages are",
    async (agent) => {
      writeFileSync(piFile, readFileSync(piFile, "utf8").replaceAll("2026-11-15T", "2025-11-15T"))
      const { session } = await copied("export", "--to", agent, "-s", PI_NAME)
      const listed = JSON.parse(await done("ls", "--all", "--json")) as { id: string; updated: string }[]
      const updated = listed.find(({ id }) => id === session)?.updated ?? ""
      expect(updated >= "2026-01-02").toBe(true)
    },
  )

  test("creates a session that the agent lists and resumes, and leaves the original as it was", async () => {
    const before = { bytes: readFileSync(piFile), mtime: statSync(piFile).mtimeMs }
    const out = await done("export", "--to", "gemini-cli", "-s", PI_NAME)
    expect(out).toMatch(
      /^Created session [0-9a-f]{6} of Gemini CLI from the path to [0-9a-f]{6}\. Session 553265 is unchanged\.\n/,
    )
    expect(out).toMatch(/\nResume it with: gemini .*\n$/)
    const [session] = JSON.parse(await done("ls", "--agent", "gemini-cli", "--json")) as { id: string; cwd: string }[]
    expect(session?.cwd).toBe(bench.cwd)
    expect(await said(session?.id ?? "")).toBe("u1 hello | u2 TOOLWRITE please | u3b new branch")
    expect({ bytes: readFileSync(piFile), mtime: statSync(piFile).mtimeMs }).toEqual(before)
  })

  test("takes the path to an entry, and hands back the prompt there", async () => {
    const { session } = await copied("export", "--to", "gemini", "-s", PI_NAME, "--at", "@2")
    expect(await said(session ?? "")).toBe("u1 hello")
    expect(await done("export", "--to", "gemini", "-s", PI_NAME, "--at", "@3")).toContain(
      "Your prompt, to edit and send again:\n\n  u3b new branch",
    )
  })

  test("takes a session of ours, and says what the format cannot hold", async () => {
    writeFileSync(
      join(bench.cwd, "chat.json"),
      JSON.stringify([
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ]),
    )
    await done("import", "chat.json")
    await done("label", "head", "here")
    const { files, resume, lost } = await copied("export", "--to", "neovate")
    expect(files.every(({ path }) => path.startsWith(join(person, ".neovate")))).toBe(true)
    expect(resume[0]).toBe("neovate")
    expect(lost).toEqual([])
  })

  test("a dry run names the files and writes none", async () => {
    const out = await done("export", "--to", "neovate", "-s", PI_NAME, "--dry-run")
    expect(out).toContain("Would create a session of Neovate Code")
    expect(out).toContain(join(person, ".neovate"))
    expect(everyFile(join(person, ".neovate"))).toEqual([])
  })

  test("-o writes below another folder, as below a home", async () => {
    mkdirSync(join(bench.folder, "elsewhere"))
    const { files } = await copied("export", "--to", "neovate", "-s", PI_NAME, "-o", "../elsewhere")
    expect(everyFile(join(bench.folder, "elsewhere"))).toEqual(files.map(({ path }) => path))
    expect(everyFile(join(person, ".neovate"))).toEqual([])
    const { exit, err } = await bench.run(["export", "--to", "neovate", "-s", PI_NAME, "-o", "nowhere"])
    expect([exit, err]).toEqual([1, expect.stringContaining("nowhere")])
  })

  test("the folder to go to is part of the command when it is another one", async () => {
    const other = join(bench.folder, "other place")
    mkdirSync(other)
    putPiSession({ folder: bench.folder, cwd: other })
    expect(await done("export", "--to", "neovate", "-s", PI_NAME)).toContain(`Resume it with: cd '${other}' && neovate`)
  })

  test.each(["export", "split"])(
    "%s offers only agents whose sessions can be created, and says why not others",
    async (command) => {
      const others = AGENTS.filter((agent) => !CREATABLE.includes(agent))
      const offered = (await bench.run(["complete", "--", command, "--to", ""])).out
        .split("\n")
        .map((line) => line.split("\t")[0])
      expect(AGENTS.filter((agent) => offered.includes(agent))).toEqual(CREATABLE)
      const help = (await bench.run([command, "--help"], { width: 500 })).out
      expect(AGENTS.filter((agent) => help.includes(`"${agent}"`))).toEqual(CREATABLE)
      for (const agent of others) {
        const { exit, err } = await bench.run([command, "--to", agent, "-s", PI_NAME])
        expect(exit).toBe(2)
        expect(err).toMatch(
          /^retcon: retcon reads sessions of .*, but cannot create them\.\n {2}Use one of: .*, neovate, pi\.\n$/,
        )
      }
    },
  )

  test("what is no agent, and options that an agent's session does not have, are refused", async () => {
    expect((await bench.run(["export", "--to", "cursor"])).exit).toBe(2)
    expect((await bench.run(["export", "--to", "markdown", "--dry-run"])).err).toContain(
      "--dry-run works only for an export to an agent",
    )
  })
})

describe("split of another agent's session", () => {
  test("--to retcon creates one of ours, --to AGENT one of that agent", async () => {
    expect(await done("split", "-s", PI_NAME, "--to", "retcon")).toMatch(
      /^Created session [0-9a-f]{6} of retcon from the path .*\nSee it with: .*\nContinue it with: retcon -r [0-9a-f]{6}\n$/,
    )
    expect((await copied("split", "-s", PI_NAME, "--to", "neovate")).agent).toBe("neovate")
  })

  test("without --to it is a session of the same agent, under another title", async () => {
    const first = await copied("export", "--to", "gemini-cli", "-s", PI_NAME)
    const { agent, session, files } = await copied("split", "@3", "-s", first.session ?? "")
    expect(agent).toBe("gemini-cli")
    expect(await said(session ?? "")).toBe("u1 hello | u2 TOOLWRITE please")
    expect(files[0]?.path).not.toBe(first.files[0]?.path)
    expect(await done("ls", "--agent", "gemini-cli")).toContain("u1 hello (split)")
  })
})

describe("run", () => {
  test("-r continues another agent's session in a copy of ours, and says so", async () => {
    const before = readFileSync(piFile)
    const { exit, err } = await bench.run(["run", "-r", "553265", "--model", "practice", "say going on"])
    expect([exit, err]).toEqual([0, expect.stringContaining("This is a copy; the session of pi stays as it is.")])
    expect(await done("prompts")).toMatch(/@3 .*u3b new branch\n@4 .*say going on\n/)
    expect(readFileSync(piFile)).toEqual(before)
  })

  test("-c takes no session of another agent by itself: it says what to type", async () => {
    const { exit, err } = await bench.run(["run", "-c", "--model", "practice", "say hello"])
    expect(exit).toBe(1)
    expect(err).toContain('Continue in a copy of "u1 hello" (pi) with: retcon run -r 553265')
    expect(err).toContain("Nothing was sent.")
    expect(await bench.cli().store.list()).toEqual([])
  })
})
