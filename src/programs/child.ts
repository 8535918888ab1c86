// A program that retcon drives over its standard input and output, one line of JSON at a time. It runs in a process group of its
// own, so that it can be ended together with what it started.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable } from "node:stream"
import { setTimeout as passed } from "node:timers/promises"
import type { Json } from "../model/json.ts"
import type { ProcessesEnded } from "./port.ts"

export interface ChildStart {
  /** An absolute path, and its arguments. */
  command: readonly [string, ...string[]]
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  /** Called for every line that it prints. */
  line: (text: string) => void
}

export interface Child {
  /** Writes one line. What a program that is gone does not read is dropped. */
  send(message: Json): void
  /** Writes this and closes its input. */
  finish(text: string): void
  /** Resolves when it has ended and everything that it printed has been read; never rejects. */
  readonly gone: Promise<ChildEnd>
  /** Closes its input, then asks the whole group to end, then kills it. Contract: none of them runs afterwards. Idempotent. */
  end(): Promise<ProcessesEnded>
}

export interface ChildEnd {
  /** Why it could not be started, or broke the rules of the conversation. */
  problem?: string
  /** Its exit code, or the signal that ended it. */
  code: number | string | null
  /** The end of what it wrote to standard error. */
  said: string
}

const ASK_AFTER_MS = 300
const KILL_AFTER_MS = 1000
const MOST_SAID = 2000
/** How long its output may be silent after it has ended: something that it started may hold that open forever. */
const DRAIN_MS = 300
/** No message of a program is longer; one that is would fill the memory. */
const LONGEST_LINE = 64 * 1024 * 1024

/** Groups that are still running: they end with this process, however it ends. */
const running = new Set<number>()
process.on("exit", () => {
  for (const group of running) signalGroup(group, "SIGKILL")
})

export function startChild({ command: [program, ...words], cwd, env, line }: ChildStart): Child {
  const child = spawn(program, words, { cwd, env, stdio: "pipe", detached: true })
  const group = child.pid
  const dismiss = group === undefined ? undefined : guard(group, env)
  if (group !== undefined) running.add(group)
  let [said, problem, ending]: [string, string | undefined, Promise<ProcessesEnded> | undefined] = [
    "",
    undefined,
    undefined,
  ]
  readLines(child.stdout, line, () => {
    problem = `It sent a line of more than ${LONGEST_LINE / 1024 / 1024} MiB.`
    void end()
  })
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    said = (said + more).slice(-MOST_SAID)
  })
  // If the program ends before it has read everything, its output says why.
  child.stdin.on("error", () => undefined)
  const gone = new Promise<ChildEnd>((settle) => {
    child.on("error", ({ message }) => settle({ problem: message, code: null, said }))
    child.on("exit", () => endWhenQuiet([child.stdout, child.stderr]))
    child.on("close", (code, signal) =>
      settle({ ...(problem !== undefined && { problem }), code: code ?? signal, said }),
    )
  })
  // What it leaves behind when it ends by itself goes with it.
  void gone.then(() => end())

  function end(): Promise<ProcessesEnded> {
    ending ??= group === undefined ? Promise.resolve({ ended: [] }) : endGroup(child, group).finally(dismiss)
    return ending
  }

  return {
    send(message) {
      if (child.stdin.writable) child.stdin.write(`${JSON.stringify(message)}\n`)
    },
    finish: (text) => void child.stdin.end(text),
    gone,
    end,
  }
}

async function endGroup(child: ChildProcessWithoutNullStreams, group: number): Promise<ProcessesEnded> {
  const leads = () => child.exitCode === null && child.signalCode === null
  // If its input is closed already, that does not tell it to end.
  const asked = child.stdin.writableEnded
  child.stdin.end()
  if (asked || !(await isOver(group, leads, ASK_AFTER_MS))) {
    signalGroup(group, "SIGTERM")
    if (!(await isOver(group, leads, KILL_AFTER_MS - ASK_AFTER_MS))) {
      signalGroup(group, "SIGKILL")
      await isOver(group, leads, KILL_AFTER_MS)
    }
  }
  running.delete(group)
  return { ended: [group] }
}

/** Waits for a line, and kills the group if its input ends without one. */
const GUARD = 'read -r over || kill -s KILL -- "-$0"'

/** Ends the group if this process is killed, which could do nothing about it itself. Returns how to dismiss it. */
function guard(group: number, env: ChildStart["env"]): () => void {
  const waits = spawn("/bin/sh", ["-c", GUARD, String(group)], {
    env,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  waits.on("error", () => undefined)
  waits.stdin.on("error", () => undefined)
  waits.unref()
  if (waits.stdin instanceof Socket) waits.stdin.unref()
  return () => void waits.stdin.end("over\n")
}

const LOOK_EVERY_MS = 5

/** `leads`: whether the process that the group was started with still runs. */
async function isOver(group: number, leads: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (signalGroup(group, 0) && (leads() || hasMembers(group))) {
    if (performance.now() > until) return false
    await passed(LOOK_EVERY_MS)
  }
  return true
}

/** What has ended and waits for its parent to notice is no member. Where that cannot be told apart, it is. */
function hasMembers(group: number): boolean {
  try {
    return readdirSync("/proc").some((name) => {
      const [, state, pgrp] = /^\d+ \(.*\) (\S) \d+ (\d+)/s.exec(statOf(name)) ?? []
      return Number(pgrp) === group && state !== "Z" && state !== "X"
    })
  } catch {
    return true
  }
}

function statOf(process: string): string {
  try {
    return /^\d+$/.test(process) ? readFileSync(`/proc/${process}/stat`, "utf8") : ""
  } catch {
    return ""
  }
}

/** False if there is nobody to signal. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/** Calls back for each line, and once if a line never ends. */
export function readLines(input: Readable, line: (text: string) => void, tooLong: () => void): void {
  let [parts, length]: [string[], number] = [[], 0]
  input.setEncoding("utf8").on("data", (chunk: string) => {
    let from = 0
    for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", from)) {
      line([...parts, chunk.slice(from, at)].join(""))
      ;[parts, length, from] = [[], 0, at + 1]
    }
    if (length > LONGEST_LINE) return
    const rest = chunk.slice(from)
    if (rest !== "") parts.push(rest)
    length += rest.length
    if (length <= LONGEST_LINE) return
    parts = []
    tooLong()
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
