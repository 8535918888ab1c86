// Builds what a command gets from the real machine: environment, home, working directory, clock, standard streams.
import { randomBytes } from "node:crypto"
import { closeSync, openSync, readFileSync, realpathSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import type { Readable } from "node:stream"
import { readConfig } from "../app/config/config-file.ts"
import { configFile, homeFolder } from "../app/config/home.ts"
import { readSettings, type Settings } from "../app/config/settings.ts"
import type { AppDeps } from "../app/port/app-deps.ts"
import { machineSessions } from "../app/setup/machine-sessions.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { Cli, Input, Output } from "./port/cli.ts"
import { wantsColours } from "./process/terminal.ts"
import type { Globals } from "./program.ts"

export function startCli(globals: Globals, outputs: { out: Output; err: Output }, version: string): Cli {
  // A copy, because keys are removed from the process's own environment when an agent starts.
  const env = { ...process.env }
  const home = homeFolder(env, process.platform, homedir())
  const settings = loadSettings(configFile(home), outputs.err)
  const coloured = (output: Output): Output =>
    Object.defineProperty(output, "colours", {
      get: () => wantsColours(output.isTerminal, env, { flag: globals.color, setting: settings.colour }),
    })
  const err = coloured(outputs.err)
  return {
    home,
    cwd: workingDirectory(),
    ...machineSessions({
      home,
      person: { home: homedir(), env },
      durability: settings.durability,
      via: "command-line",
    }),
    settings: globals.pager === false ? { ...settings, pager: "never" } : settings,
    made: { name: "retcon", version },
    now: () => Date.now(),
    in: inputOn(() => process.stdin, err),
    out: coloured(outputs.out),
    err,
    env,
    ...processDeps(err),
  }
}

function loadSettings(file: string, err: Output): Settings {
  const { settings, problems } = readSettings(readConfig(file))
  for (const problem of problems) err.write(`retcon: ${file} has a problem: ${problem}. retcon uses the default.\n`)
  return settings
}

function workingDirectory(): string {
  try {
    return realpathSync(process.cwd())
  } catch (error) {
    throw new RetconError({ code: "vanished", path: process.env.PWD || "The working directory" }, { cause: error })
  }
}

type ProcessDeps = Pick<AppDeps, "warn" | "newName" | "random" | "forgetKeys">

/** What the application needs of the process that it runs in. */
export function processDeps(err: Pick<Output, "write">): ProcessDeps {
  return {
    warn: (text) => err.write(`retcon: ${text}\n`),
    newName: () => randomBytes(8).toString("hex"),
    random: () => Math.random(),
    forgetKeys,
  }
}

/**
 * Removes keys from this process's environment once they have been read, so that no child inherits them, or finds them
 * by looking at its parent under /proc. Contract: never throws. The caller has already copied what it still needs.
 */
function forgetKeys(names: readonly string[]): void {
  const present = names.filter((name) => process.env[name] !== undefined)
  if (present.length === 0) return
  if (process.platform === "linux") isBlankedOut(present)
  for (const name of present) delete process.env[name]
}

/** Not every kernel lets a process write to itself this way: then it stays as it was. */
function isBlankedOut(names: readonly string[]): boolean {
  try {
    blankOut(names)
    return true
  } catch {
    return false
  }
}

/** Positions of the fields of /proc/self/stat after the name, which may itself contain spaces and brackets. */
const ENVIRONMENT_START = 47

/** Deleting a variable leaves the text with which the process was started, which /proc shows, so it is overwritten. */
function blankOut(names: readonly string[]): void {
  const stat = readFileSync("/proc/self/stat", "latin1")
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENVIRONMENT_START])
  const block = readFileSync("/proc/self/environ")
  const memory = openSync("/proc/self/mem", "r+")
  try {
    for (const { at, length } of variables(block, names)) writeSync(memory, Buffer.alloc(length), 0, length, start + at)
  } finally {
    closeSync(memory)
  }
}

function variables(block: Buffer, names: readonly string[]): { at: number; length: number }[] {
  const found: { at: number; length: number }[] = []
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(0, at) < 0 ? block.length : block.indexOf(0, at)
    const name = block.toString("latin1", at, end).split("=", 1)[0] ?? ""
    if (names.includes(name)) found.push({ at, length: end - at })
    at = end + 1
  }
  return found
}

type Stream = Readable & { isTTY?: boolean }

/**
 * Standard input: all of it, or one answer from a person. `open`: called when the stream is first used, because Node
 * takes up to 3 ms to open one.
 */
export function inputOn(open: () => Stream, err: Output): Input {
  return {
    get isTerminal() {
      return open().isTTY === true && err.isTerminal
    },
    get isPiped() {
      return open().isTTY !== true
    },
    async readAll(limit) {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of open()) {
        const bytes = chunk as Buffer
        size += bytes.length
        if (size > limit) return undefined
        chunks.push(bytes)
      }
      return Buffer.concat(chunks)
    },
    async ask(question, signal) {
      const stream = open()
      await dropTyped(stream)
      err.write(question)
      const { createInterface } = await import("node:readline")
      const lines = createInterface({ input: stream })
      const withdraw = () => lines.close()
      signal?.addEventListener("abort", withdraw, { once: true })
      try {
        for await (const line of lines) return line
        return ""
      } finally {
        signal?.removeEventListener("abort", withdraw)
        lines.close()
      }
    },
  }
}

/** How long earlier typing takes to arrive. */
const TYPED_MS = 30

/** What was typed before a question was shown is not an answer to it. */
async function dropTyped(stream: Stream): Promise<void> {
  if (stream.isTTY !== true) return
  const drop = () => undefined
  stream.on("data", drop)
  // After an earlier question it is paused, and adding a listener alone does not resume it.
  stream.resume()
  await new Promise((settle) => setTimeout(settle, TYPED_MS))
  stream.off("data", drop)
  stream.pause()
}
