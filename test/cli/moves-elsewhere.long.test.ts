// Going back in a session of Claude Code by real processes: two at once, beside a writer, and killed before any of its writes.
import { spawn, spawnSync } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { claudeCode } from "../../src/formats/claude-code/format.ts"
import { promptsOf, readSession } from "../formats/read-session.ts"
import { isSoak } from "../seed.ts"
import { CLAUDE_NAME, putClaudeSession } from "./claude-session.ts"

const program = resolve("dist/cli.cjs")
const preload = join(import.meta.dirname, "kill-at.mjs")

let folder: string
let cwd: string
let file: string
let start: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-theirs-")))
  cwd = join(folder, "work")
  mkdirSync(cwd)
  ;({ file } = putClaudeSession({ folder, cwd }))
  start = readFileSync(file, "utf8")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: join(folder, "person"),
  RETCON_HOME: join(folder, "home"),
  ...more,
})

function retcon(words: string[], more: Record<string, string> = {}) {
  const options = "KILL_AT" in more ? ["--import", preload] : []
  const ran = spawnSync(process.execPath, [...options, program, ...words, "-s", CLAUDE_NAME], {
    cwd,
    env: env(more),
    encoding: "utf8",
  })
  return { exit: ran.status, signal: ran.signal, out: ran.stdout, err: ran.stderr }
}

/** What Claude Code would continue from. */
async function prompts(): Promise<string[]> {
  const { history, session } = await readSession(claudeCode, file)
  const found = promptsOf(history)
  session.close()
  return found
}

/** Runs it beside others. */
function started(...words: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [program, ...words, "-s", CLAUDE_NAME], { cwd, env: env(), stdio: "ignore" })
  return new Promise((settle) => child.on("exit", settle))
}

test("two processes go back one after the other: two rounds", async () => {
  expect(await Promise.all([started("back"), started("back")])).toEqual([0, 0])
  expect(await prompts()).toEqual(["u1 first"])
  expect(retcon(["undo", "2"]).exit).toBe(0)
  expect(await prompts()).toEqual(["u1 first", "u2 second", "u3 third"])
})

test("beside a program that writes, a move is refused or made, and no line of either is broken", async () => {
  const written: string[] = []
  const writing = { goesOn: true }
  const writer = (async () => {
    while (writing.goesOn) {
      const line = JSON.stringify({ type: "of-tomorrow", number: written.length, text: "x".repeat(2000) })
      appendFileSync(file, `${line}\n`)
      written.push(line)
      await new Promise((settle) => setImmediate(settle))
    }
  })()
  const exits = []
  for (let i = 0; i < 6; i++) exits.push(await started(i % 2 === 0 ? "back" : "undo"))
  writing.goesOn = false
  await writer
  expect(exits.every((exit) => exit === 0 || exit === 1)).toBe(true)
  const lines = readFileSync(file, "utf8").slice(start.length).trimEnd().split("\n")
  const theirs = lines.filter((line) => JSON.parse(line).type === "of-tomorrow")
  expect(theirs).toEqual(written)
  const moves = lines.length - theirs.length
  expect(moves).toBe(exits.filter((exit) => exit === 0).length)
})

test("killed before any of its writes, it was made or it was not, and the next one works", async () => {
  const count = join(folder, "writes")
  const from = { KILL_FROM: join("foreign", "claude-code"), KILL_COUNT: count }
  expect(retcon(["back"], { ...from, KILL_AT: "9999" }).exit).toBe(0)
  const writes = Number(readFileSync(count, "utf8"))
  expect(writes).toBeGreaterThan(2)
  let made = 0
  for (let at = 0; at < writes; at += isSoak ? 1 : 7) {
    rmSync(join(folder, "home"), { recursive: true, force: true })
    writeFileSync(file, start)
    expect(retcon(["back"], { ...from, KILL_AT: String(at) }).signal).toBe("SIGKILL")
    const there = (await prompts()).length
    expect([2, 3]).toContain(there)
    if (there === 2) made++
    expect(readFileSync(file, "utf8").startsWith(start)).toBe(true)
    expect(retcon(["back"]).exit).toBe(0)
    expect(await prompts()).toHaveLength(there - 1)
  }
  expect(made).toBeLessThan(writes)
})
