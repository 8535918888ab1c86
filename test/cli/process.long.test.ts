// The built program as a process: exit codes, pipes, colours, signals.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const program = resolve("dist/cli.cjs")
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-process-")))
const cwd = join(folder, "project")
const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home"), TZ: "UTC" }

function retcon(words: string[], more: Record<string, string> = {}, input = "") {
  const ran = spawnSync(process.execPath, [program, ...words], {
    cwd,
    env: { ...env, ...more },
    input,
    encoding: "utf8",
  })
  return { exit: ran.status, out: ran.stdout, err: ran.stderr }
}

beforeAll(() => {
  mkdirSync(cwd)
  const messages = Array.from({ length: 2000 }, (_, n) => [
    { role: "user", content: `ask ${n + 1}` },
    { role: "assistant", content: `answer ${n + 1}. ${"It goes on. ".repeat(20)}` },
  ])
  writeFileSync(join(cwd, "long.json"), JSON.stringify(messages.flat()))
  expect(retcon(["import", "long.json"]).err).toBe("")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("done is 0, refused is 1, usage is 2", () => {
  expect(retcon(["back"]).exit).toBe(0)
  expect(retcon(["goto", "@9999"])).toMatchObject({ exit: 1, out: "" })
  expect(retcon(["back", "0"])).toMatchObject({ exit: 2, out: "" })
  expect(retcon([]).exit).toBe(0)
})

test("the version is that of the package, from any directory", () => {
  expect(retcon(["--version"])).toEqual({ exit: 0, out: "0.1.0\n", err: "" })
})

test("errors go to stderr, so that a pipe gets only answers", () => {
  const { exit, out, err } = retcon(["undo", "-s", "ffffffff", "--json"])
  expect({ exit, out }).toEqual({ exit: 1, out: "" })
  expect(JSON.parse(err)).toMatchObject({ error: { code: "not-found" } })
})

test("standard input is imported", () => {
  const { out } = retcon(["import", "-", "--json"], {}, '{"role":"user","content":"hi"}\n')
  expect(JSON.parse(out)).toMatchObject({ messages: 1, prompts: 1 })
  const { session } = JSON.parse(out) as { session: string }
  expect(retcon(["rm", session]).exit).toBe(0)
})

test("a directory that is gone is an error, not a crash", () => {
  const script = `mkdir gone && cd gone && rmdir ../gone && exec ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} undo`
  const ran = spawnSync("sh", ["-c", script], { cwd, env, encoding: "utf8" })
  expect(ran.status).toBe(1)
  expect(ran.stderr.split("\n")).toHaveLength(3)
  const nameless = spawnSync("sh", ["-c", script.replace("exec ", "exec env PWD= ")], { cwd, env, encoding: "utf8" })
  expect(nameless.stderr).toContain("The working directory is no longer there.")
})

test("a config.json that cannot be used is named, and the command works", () => {
  const home = join(folder, "other-home")
  mkdirSync(home)
  writeFileSync(join(home, "config.json"), "{ broken")
  const { exit, out, err } = retcon(["config", "files"], { RETCON_HOME: home })
  expect({ exit, out }).toEqual({ exit: 0, out: "keep\n" })
  expect(err).toContain("config.json has a problem: it is not JSON")
})

describe("a reader that has seen enough", () => {
  test("ends the program quietly with 0", () => {
    const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} show | head -n 1; echo "\${PIPESTATUS[0]}"`
    const ran = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" })
    expect(ran.stderr).toBe("")
    expect(ran.stdout.trimEnd().split("\n").at(-1)).toBe("0")
  })
})

describe.skipIf(!existsSync("/dev/full"))("an answer that cannot be written", () => {
  const full = (words: string) =>
    spawnSync("bash", ["-c", `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} ${words} > /dev/full`], {
      cwd,
      env,
      encoding: "utf8",
    })

  test("is a failure in two lines", () => {
    const ran = full("prompts")
    expect(ran.status).toBe(1)
    expect(ran.stderr).toMatch(/^retcon: .*could not be printed: .*ENOSPC.*\n {2}.*\n$/)
  })

  test("does not say that nothing was changed when a move was recorded", () => {
    const before = retcon(["prompts", "--json"]).out
    expect(full("back").stderr).toContain("The command succeeded, but its output could not be printed")
    expect(retcon(["prompts", "--json"]).out).not.toBe(before)
    expect(retcon(["undo"]).exit).toBe(0)
    expect(JSON.parse(full("back --json").stderr)).toMatchObject({ error: { code: "not-printed" } })
    expect(retcon(["undo"]).exit).toBe(0)
  })
})

describe("a home that cannot be used", () => {
  const wrong = (home: string, ...words: string[]) => retcon(words, { RETCON_HOME: home })

  test.skipIf(!existsSync("/proc/self"))("a folder that cannot be created is refused at once", () => {
    const { exit, err } = wrong("/proc/x", "import", "long.json")
    expect(exit).toBe(1)
    expect(err).toMatch(/^retcon: \/proc\/x\S* cannot be written: .*read-only/)
    expect(wrong("/proc/x", "config", "files", "restore").err).toMatch(/cannot be written/)
  })

  test("a file in the place of the home is named", () => {
    const home = join(folder, "a-file")
    writeFileSync(home, "")
    for (const words of [["import", "long.json"], ["config", "files", "restore"], ["ls"]]) {
      const { exit, err } = wrong(home, ...words)
      expect({ exit, err }).toMatchObject({ exit: 1, err: expect.stringContaining("is not a folder") })
    }
  })
})

test("a folder that does not exist is not called removed", () => {
  const { exit, err } = retcon(["export", "-o", join(folder, "nowhere", "x.md")])
  expect(exit).toBe(1)
  expect(err).toContain(`There is no folder "${join(folder, "nowhere")}".`)
  expect(retcon(["export", "-o", "-"]).out).toBe(retcon(["export"]).out)
})

test("an error that nobody reads still has its exit code", () => {
  const script = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)} goto nowhere 2>&-; echo $?`
  expect(spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" }).stdout).toBe("1\n")
})

describe("colours", () => {
  const sequence = "\u001b["

  test("a pipe gets none", () => {
    expect(retcon(["log"]).out).not.toContain(sequence)
  })

  test("FORCE_COLOR and --color=always give them, NO_COLOR and --color=never take them away", () => {
    expect(retcon(["log"], { FORCE_COLOR: "1" }).out).toContain(sequence)
    expect(retcon(["log", "--color=always"]).out).toContain(sequence)
    expect(retcon(["--color=always", "log"], { NO_COLOR: "1" }).out).toContain(sequence)
    expect(retcon(["log"], { FORCE_COLOR: "1", NO_COLOR: "1" }).out).not.toContain(sequence)
    expect(retcon(["log", "--color=never"], { FORCE_COLOR: "1" }).out).not.toContain(sequence)
  })
})

test("Ctrl-C ends a waiting program with 130 and nothing on the screen", async () => {
  const child = spawn(process.execPath, [program, "import", "-"], { cwd, env, stdio: ["pipe", "pipe", "pipe"] })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (said += String(text)))
  const ended = new Promise<number | null>((done) => child.once("exit", done))
  // The pipe takes more than its buffer only once the program reads: then it is up and waits for the rest.
  const filler = Buffer.alloc(1024 * 1024, " ")
  await new Promise<void>((done) => child.stdin.write(filler, () => done()))
  child.kill("SIGINT")
  expect(await ended).toBe(130)
  expect(said).toBe("")
})
