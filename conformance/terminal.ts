// A terminal that a program runs in, as a person sits before it: tmux, in the same network namespace.
import { spawnSync } from "node:child_process"
import { setTimeout as pause } from "node:timers/promises"
import type { Command } from "./programs/program.ts"

/** No program takes longer to show something than this. */
const LONGEST_MS = 60_000
const LOOK_MS = 50
/** How often in a row a screen must be the same to be all that is drawn. */
const LOOKS = 6

export class Terminal {
  readonly #socket: string
  readonly #env: Record<string, string>

  /** Contract: whoever opens it closes it. `socket`: a path where no file is. */
  constructor(socket: string, { argv, env = {} }: Command, at: { cwd: string; env: Record<string, string> }) {
    this.#socket = socket
    this.#env = { ...at.env, TERM: "xterm-256color", ...env }
    this.#tmux("new-session", "-d", "-s", "one", "-x", "120", "-y", "50", "-c", at.cwd, "--", ...argv)
  }

  /** Named keys, as tmux calls them: Enter, Up, C-u. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", "-t", "one", ...keys)
  }

  /** Text in the line that is typed; it is there when this answers. */
  async type(text: string): Promise<void> {
    this.#tmux("send-keys", "-t", "one", "-l", text)
    await this.sees(text)
  }

  get screen(): string {
    return this.#tmux("capture-pane", "-p", "-t", "one")
  }

  /** Looks until it is there, and all of the screen stays as it is. */
  async sees(wanted: string | RegExp): Promise<string> {
    const until = performance.now() + LONGEST_MS
    for (let [last, same] = ["", 0]; ; ) {
      const now = this.screen
      const there = typeof wanted === "string" ? now.includes(wanted) : wanted.test(now)
      same = there && now === last ? same + 1 : 0
      if (same >= LOOKS) return now
      if (performance.now() > until) throw new Error(`its terminal did not show ${String(wanted)} but ${short(now)}`)
      last = now
      await pause(LOOK_MS)
    }
  }

  /** Waits until the program has ended by itself. */
  async ended(): Promise<void> {
    const until = performance.now() + LONGEST_MS
    while (this.#call("has-session", "-t", "one").status === 0) {
      if (performance.now() > until) throw new Error(`it did not end: ${short(this.screen)}`)
      await pause(LOOK_MS)
    }
  }

  /** A program that loses its terminal still writes what it must keep: this waits for its end. */
  close(): void {
    const pids = this.#call("list-panes", "-F", "#{pane_pid}").stdout.split("\n")
    this.#call("kill-server")
    for (const pid of pids.filter((each) => each !== ""))
      spawnSync("tail", [`--pid=${pid}`, "-f", "/dev/null"], { timeout: LONGEST_MS })
  }

  #tmux(...words: string[]): string {
    const { status, stdout, stderr } = this.#call(...words)
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr.trim()}`)
    return stdout
  }

  #call(...words: string[]) {
    return spawnSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...words], { encoding: "utf8", env: this.#env })
  }
}

function short(screen: string): string {
  const lines = screen.split("\n").filter((line) => line.trim() !== "")
  return JSON.stringify(lines.slice(-12).join("\n"))
}
