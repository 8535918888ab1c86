// The built program in processes of its own: a call to the disk fails, also in a helper thread, or the process is killed at it.
// Then the next process is right.
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { CLAUDE_NAME, putClaudeSession } from "../cli/claude-session.ts"
import { picture } from "../workspace/folder.ts"
import { DOOR, type Fault } from "./door.ts"
import { namesIn } from "./place.ts"
import { spread } from "./spread.ts"

const program = resolve("dist/cli.cjs")
const folder = realpathSync(mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "retcon-faulty-")))
const [at, kept, counted] = [join(folder, "at"), join(folder, "kept"), join(folder, "count")]
const cwd = join(at, "work")
const env = { PATH: process.env.PATH ?? "", HOME: join(at, "person"), RETCON_HOME: join(at, "home") }
const FILES = 1_600

function retcon(words: readonly string[], fault?: { fault: Fault; at: number; lasting?: boolean }) {
  const door = fault && {
    FAULT: fault.fault,
    FAULT_AT: String(fault.at),
    FAULT_LASTING: fault.lasting === true ? "1" : "0",
    FAULT_ROOT: at,
    FAULT_COUNT: counted,
  }
  const options = door === undefined ? [] : ["--require", DOOR]
  const ran = spawnSync(process.execPath, [...options, program, ...words], {
    cwd,
    env: { ...env, ...door },
    encoding: "utf8",
    timeout: 60_000,
  })
  return { exit: ran.status, signal: ran.signal, out: ran.stdout, err: ran.stderr }
}

function done(words: readonly string[]): string {
  const { exit, out, err } = retcon(words)
  expect({ words, exit, err }).toMatchObject({ exit: 0 })
  return out
}

beforeAll(() => {
  mkdirSync(cwd, { recursive: true })
  putClaudeSession({ folder: at, cwd })
  for (let i = 0; i < FILES; i++) {
    mkdirSync(join(cwd, `d${i % 40}`), { recursive: true })
    writeFileSync(join(cwd, `d${i % 40}/f${i}`), `content of ${i}\n`)
  }
  done(["run", "--mode", "yolo", "create a.txt with one"])
  done([
    "run",
    "--mode",
    "yolo",
    "--continue",
    "run echo two > a.txt; rm d1/f1; echo new > c.txt; for i in d2/*; do echo x > $i; done",
  ])
  cpSync(at, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fresh(): void {
  rmSync(at, { recursive: true, force: true })
  cpSync(kept, at, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
}

/** What a new process finds: where the conversation is, and the files. */
const found = (log: readonly string[]) => {
  done(["diff", "--stat"])
  return { head: (JSON.parse(done(log)) as { head: string }).head, files: picture(cwd) }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const COMMANDS = [
  { name: "back with files", words: ["back", "--files", "restore"], log: ["log", "--json"] },
  {
    name: "a first snapshot of many files",
    words: ["run", "--mode", "yolo", "create b.txt with b"],
    log: ["log", "--json"],
  },
  {
    name: "back in a session of Claude Code",
    words: ["back", "-s", CLAUDE_NAME],
    log: ["log", "--json", "-s", CLAUDE_NAME],
  },
] as const

const FAULTS = [
  { fault: "EMFILE", lasting: false },
  { fault: "ENOSPC", lasting: true },
  { fault: "SIGKILL", lasting: false },
] as const

const JOURNAL = /restore\.journal|\.retcon-restore-/
const TEMPORARY = /\.tmp$|\/tmp-|\.lease$|\.move$|restore\.journal|\.retcon-/

describe.each(COMMANDS)("$name", ({ name, words, log }) => {
  const isNew = name.startsWith("a first")
  /** A new session needs a first snapshot: nothing is known of the files yet. */
  const begin = () => {
    fresh()
    if (isNew) for (const part of ["sessions", "workspaces"]) rmSync(join(at, "home", part), { recursive: true })
  }

  /** Without any fault: before it, and what the command leaves. */
  const reference = once(() => {
    begin()
    const before = isNew ? { head: "", files: picture(cwd) } : found(log)
    begin()
    done(words)
    const after = found(log)
    return { before, after, names: new Set(namesIn(at)) }
  })

  test.each(FAULTS)("$fault, from then on: $lasting", { timeout: 3_600_000 }, ({ fault, lasting }) => {
    const { before, after, names } = reference()
    begin()
    expect(retcon(words, { fault, lasting, at: 1_000_000_000 })).toMatchObject({ exit: 0, signal: null })
    const { calls } = JSON.parse(readFileSync(counted, "utf8")) as { calls: number }
    for (const k of spread(calls, 2)) {
      begin()
      const { exit, signal, err } = retcon(words, { fault, lasting, at: k })
      if (fault === "SIGKILL") expect(signal).toBe("SIGKILL")
      else {
        expect({ k, signal, err }).toMatchObject({
          signal: null,
          err: expect.not.stringMatching(/\n\s+at |This is a bug/),
        })
        if (exit !== 0) expect(err).toMatch(/^retcon: .+\n {2}\S/m)
      }
      if (isNew) {
        // Whatever became of it: the next one is complete.
        if (existsSync(join(cwd, "b.txt"))) rmSync(join(cwd, "b.txt"))
        done(words)
        expect(picture(cwd)).toEqual(after.files)
        done(["goto", "@1", "--files", "restore"])
        expect({ k, files: picture(cwd) }).toEqual({ k, files: before.files })
      } else {
        // Conversation and files are both as they were, or both as they should be.
        const now = found(log)
        expect([before, after]).toContainEqual(now)
        if (exit === 0) expect(now).toEqual(after)
      }
      // What a killed process leaves, the next one that needs its place or gc removes.
      const left = namesIn(at).filter((each) => TEMPORARY.test(each) && !names.has(each))
      expect(left.filter((each) => fault !== "SIGKILL" || JOURNAL.test(each))).toEqual([])
    }
  })
})
