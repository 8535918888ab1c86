// Runs the installed Claude Code for one turn of one of its own sessions.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import type { ProgramEnd, ProgramTurn, TurnProgram } from "../port.ts"
import { claudeStream, type StreamEnd } from "./stream.ts"

export interface ClaudeProgramOptions {
  /** The program's path. */
  program: string
  env: Readonly<Record<string, string | undefined>>
  /** How long it may take to end by itself after it is asked to stop. */
  patienceMs?: number
}

const PATIENCE_MS = 3000
const MOST_ERROR = 2000
/** How long its output may be silent after it has ended: something that it started may hold that open forever. */
const DRAIN_MS = 300

export function claudeProgram({ program, env, patienceMs = PATIENCE_MS }: ClaudeProgramOptions): TurnProgram {
  return {
    turn(request) {
      if (request.signal.aborted) return Promise.resolve({ outcome: "stopped", denied: [] })
      const child = spawn(program, argumentsOf(request), { cwd: request.cwd, env, stdio: "pipe" })
      return ending(child, request, patienceMs)
    },
  }
}

function argumentsOf({ resume, allow }: ProgramTurn): string[] {
  const settings = allow.length === 0 ? [] : ["--settings", JSON.stringify({ permissions: { allow } })]
  const stream = ["--output-format", "stream-json", "--include-partial-messages", "--verbose"]
  return ["-p", ...resume, ...stream, ...settings]
}

function ending(
  child: ChildProcessWithoutNullStreams,
  { text, signal, told }: ProgramTurn,
  patienceMs: number,
): Promise<ProgramEnd> {
  let end: StreamEnd | undefined
  let problem = ""
  const read = claudeStream(told, (said) => {
    end = said
  })
  createInterface({ input: child.stdout }).on("line", read)
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    problem = (problem + more).slice(-MOST_ERROR)
  })
  // If the program ends before it has read the prompt, its output says why.
  child.stdin.on("error", () => undefined).end(text)
  const forget = stopWith(signal, child, patienceMs)
  return new Promise((resolve) => {
    const settle = (failed?: string) => {
      forget()
      const denied = end?.denied ?? []
      if (signal.aborted) resolve({ outcome: "stopped", denied })
      else if (end?.ok === true) resolve({ outcome: "done", denied })
      else resolve({ outcome: "failed", message: failed ?? messageOf(end, problem, child.exitCode), denied })
    }
    child.on("error", ({ message }) => settle(`Claude Code could not be started: ${message}`))
    child.on("exit", () => endWhenQuiet([child.stdout, child.stderr]))
    // All output has been read, or no longer is.
    child.on("close", () => settle())
  })
}

/** Closes the streams after a while without a word. What waits in a pipe is read first, however busy this process is. */
function endWhenQuiet(outputs: readonly Readable[]): void {
  let isQuiet = true
  for (const output of outputs)
    output.on("data", () => {
      isQuiet = false
    })
  const look = () => {
    if (isQuiet) for (const output of outputs) output.destroy()
    else wait()
  }
  const wait = () => {
    isQuiet = true
    // The timer may be late, and then comes before what there is to read.
    setTimeout(() => setImmediate(look), DRAIN_MS).unref()
  }
  wait()
}

/** Asks it to end when `signal` aborts, then kills it. Returns how to cancel that. */
function stopWith(signal: AbortSignal, child: ChildProcessWithoutNullStreams, patienceMs: number): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    child.kill("SIGINT")
    timer = setTimeout(() => child.kill("SIGKILL"), patienceMs)
  }
  signal.addEventListener("abort", stop, { once: true })
  return () => {
    signal.removeEventListener("abort", stop)
    clearTimeout(timer)
  }
}

function messageOf(end: StreamEnd | undefined, problem: string, code: number | null): string {
  const said = end?.message.trim() || problem.trim()
  return said === "" ? `Claude Code ended with exit code ${code ?? "unknown"}.` : `Claude Code failed: ${said}`
}
