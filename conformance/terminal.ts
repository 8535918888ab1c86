// A terminal for a program, as if a person used it: tmux, in the same network namespace.
import { spawnSync } from "node:child_process"
import type { Command } from "./programs/program.ts"
import { LONGEST_MS, until } from "./waits.ts"

/** How many times in a row something must be seen to count as completely drawn. */
const LOOKS = 6

export class Terminal {
  readonly #socket: string
  readonly #env: Record<string, string>

  /** Contract: the caller closes it. `socket`: a path where no file exists. */
  constructor(socket: string, { argv, env = {} }: Command, at: { cwd: string; env: Record<string, string> }) {
    this.#socket = socket
    this.#env = { ...at.env, TERM: "xterm-256color", ...env }
    this.#tmux("new-session", "-d", "-s", "one", "-x", "120", "-y", "50", "-c", at.cwd, "--", ...argv)
  }

  /** Named keys, in tmux's notation: Enter, Up, C-u. */
  press(...keys: string[]): void {
    this.#tmux("send-keys", "-t", "one", ...keys)
  }

  /** Types text into the current line; resolves when it is on the screen. */
  async type(text: string): Promise<void> {
    this.#tmux("send-keys", "-t", "one", "-l", text)
    await this.#sees(text, LOOKS, () => text)
  }

  get screen(): string {
    return this.#tmux("capture-pane", "-p", "-t", "one")
  }

  /** Waits until it is there, and the whole screen stays the same. */
  sees(wanted: string | RegExp): Promise<string> {
    return this.#sees(wanted, LOOKS, (screen) => screen)
  }

  /** Waits until it is there, while other parts of the screen may move. */
  glimpses(wanted: string | RegExp): Promise<string> {
    return this.#sees(wanted, 0, (screen) => screen)
  }

  /** Waits until the screen is another. */
  async changes(from: string): Promise<string> {
    await until(
      () => this.screen !== from,
      () => `its terminal stayed as it was: ${short(from)}`,
    )
    return this.screen
  }

  /** `still`: the part of the screen that must stay the same. */
  async #sees(wanted: string | RegExp, looks: number, still: (screen: string) => string): Promise<string> {
    let [now, last, same] = ["", "", -1]
    const isSeen = () => {
      now = this.screen
      const there = typeof wanted === "string" ? now.includes(wanted) : wanted.test(now)
      same = !there ? -1 : still(now) === last ? same + 1 : 0
      last = still(now)
      return same >= looks
    }
    await until(isSeen, () => `its terminal did not show ${String(wanted)} but ${short(now)}`)
    return now
  }

  /** Waits until the program has ended by itself. */
  async ended(): Promise<void> {
    const hasEnded = () => this.#call("has-session", "-t", "one").status !== 0
    await until(hasEnded, () => `it did not end: ${short(this.screen)}`)
  }

  /** A program that loses its terminal still writes what it must save: this waits until it has ended. */
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
