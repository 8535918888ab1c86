// retcon --plain between pipes.
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "retcon-pipe-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function plain(folder: string, ...words: string[]) {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home") }
  return spawn(process.execPath, [resolve("dist/cli.cjs"), "--plain", "--model", "practice", ...words], {
    cwd: folder,
    env,
  })
}

/** All lines are there from the start, as `printf … | retcon --plain` has it. */
async function piped(lines: readonly string[], ...words: string[]) {
  return pipedIn(newFolder(), lines, ...words)
}

async function pipedIn(folder: string, lines: readonly string[], ...words: string[]) {
  const child = plain(folder, ...words)
  child.stdin.end(lines.map((line) => `${line}\n`).join(""))
  let written = ""
  child.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()))
  const code = await new Promise<number | null>((settle) => child.on("close", settle))
  return { written, code }
}

test("lines from a pipe are carried out one after the other", async () => {
  const { written, code } = await piped(["create a.txt with 1", "say two", "/back", "!cat a.txt"], "--mode", "yolo")
  expect(code).toBe(0)
  expect(written).toMatch(
    /Created a\.txt\.[\s\S]*\ntwo\n[\s\S]*Round 1 of 2[\s\S]*Your prompt was: say two\n[\s\S]*Result: 1\n/,
  )
})

test("a line from a pipe allows nothing: what is not allowed beforehand is refused, and the next line is a prompt", async () => {
  const folder = newFolder()
  const lines = ["run touch ran", "y", "a", "create a.txt with 1", "/prompts"]
  const { written, code } = await pipedIn(folder, lines, "--allow=Write")
  expect(code).toBe(0)
  expect(written).toContain(
    "Not allowed: Bash: touch ran. There is nobody to ask. Allow it with --allow TOOL or --mode.",
  )
  expect(written).toMatch(/\n1: run touch ran\n2: y\n3: a\n4: create a\.txt with 1\n/)
  expect(readdirSync(folder)).not.toContain("ran")
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("1")
})

test("-r takes a file, even one that is not in retcon's home, and continues it", async () => {
  const folder = newFolder()
  await pipedIn(folder, ["say one"])
  const sessions = join(folder, "home", "sessions")
  const names = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
  expect(names).toHaveLength(1)
  const elsewhere = join(folder, "elsewhere.jsonl")
  renameSync(join(sessions, names[0] ?? ""), elsewhere)
  const { written, code } = await pipedIn(folder, ["say two", "/prompts"], "-r", "./elsewhere.jsonl")
  expect(code).toBe(0)
  expect(written).toContain("Last prompt: say one.")
  expect(written).toMatch(/\n1: say one\n2: say two\n/)
  expect(readFileSync(elsewhere, "utf8")).toContain("say two")
})

test("a reader that goes away ends the program in order, and the exit code says so", async () => {
  const child = plain(newFolder())
  await new Promise((settle) => child.stdout.once("data", settle))
  child.stdout.destroy()
  child.stdin.on("error", () => undefined)
  child.stdin.write("say hello\nsay again\n")
  const code = await new Promise<number | null>((settle) => child.on("exit", settle))
  expect(code).toBe(141)
})
