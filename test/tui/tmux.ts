// A real terminal: tmux runs a shell, the shell runs the built program, a person types and reads.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { onTestFinished } from "vitest"
import { LONGEST } from "../within.ts"

export interface Pane {
  cwd: string
  /** Named keys, as tmux calls them: Enter, Escape, C-c. */
  press(...keys: string[]): void
  type(text: string): void
  /** The screen. */
  screen(): string
  /** The scrollback and the screen. */
  all(): string
  resize(columns: number, rows: number): void
  /** Looks until it is there. */
  sees(wanted: string | RegExp): Promise<void>
  /** The same, and it stays: what is looked at may be half of a frame. */
  rests(wanted: RegExp): Promise<void>
  /** Whether keys arrive one by one, and nothing is echoed. */
  isRaw(): boolean
  pidOf(name: string): number
  /** Takes the terminal away, as closing its window does. */
  kill(): void
}

export function hasTmux(): boolean {
  return spawnSync("tmux", ["-V"]).status === 0
}

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "retcon-tmux-")))
}

/** How often in a row something must be there to be there to stay. */
const LOOKS = 5

/** Comes back when the process has ended. */
function waitForEnd(pid: string): void {
  spawnSync("tail", [`--pid=${pid}`, "--sleep-interval=0.02", "-f", "/dev/null"], { timeout: LONGEST })
}

let panes = 0

/** `shared`: the folder of another pane, to go on where that one was. */
export function openPane(columns = 80, rows = 30, shared?: string): Pane {
  const folder = shared ?? newFolder()
  const cwd = join(folder, "project")
  mkdirSync(cwd, { recursive: true })
  const socket = join(folder, `socket-${panes}`)
  const tmux = (...words: string[]) => {
    const ran = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      env: environment(folder),
    })
    if (ran.status !== 0) throw new Error(`tmux ${words.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const name = `pane-${++panes}`
  tmux("new-session", "-d", "-s", name, "-x", String(columns), "-y", String(rows), "-c", cwd, "sh")
  const screen = () => tmux("capture-pane", "-p", "-t", name)
  const tty = tmux("display-message", "-p", "-t", name, "#{pane_tty}").trim()
  onTestFinished(() => {
    const running = spawnSync("ps", ["-t", tty.replace("/dev/", ""), "-o", "pid="], { encoding: "utf8" }).stdout
    spawnSync("tmux", ["-S", socket, "kill-server"])
    // A program that lost its terminal still writes what it must keep.
    for (const pid of running.split(/\s+/).filter((each) => each !== "")) waitForEnd(pid)
    // Whoever made the folder comes last.
    if (shared === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    cwd,
    press: (...keys) => void tmux("send-keys", "-t", name, ...keys),
    type: (text) => void tmux("send-keys", "-t", name, "-l", text),
    screen,
    all: () => tmux("capture-pane", "-p", "-S", "-", "-t", name),
    resize: (wide, high) => void tmux("resize-window", "-t", name, "-x", String(wide), "-y", String(high)),
    async sees(wanted) {
      const until = performance.now() + LONGEST
      const there = () => (typeof wanted === "string" ? screen().includes(wanted) : wanted.test(screen()))
      while (!there()) {
        if (performance.now() > until) throw new Error(`It did not show ${String(wanted)}:\n${screen()}`)
        await pause(20)
      }
    },
    async rests(wanted) {
      const until = performance.now() + LONGEST
      for (let seen = 0; seen < LOOKS; seen = wanted.test(screen()) ? seen + 1 : 0) {
        if (performance.now() > until) throw new Error(`It did not stay ${String(wanted)}:\n${screen()}`)
        await pause(20)
      }
    },
    isRaw: () => spawnSync("stty", ["-F", tty, "-a"], { encoding: "utf8" }).stdout.includes("-icanon"),
    kill: () => void tmux("kill-pane", "-t", name),
    pidOf(program) {
      const shell = tmux("display-message", "-p", "-t", name, "#{pane_pid}").trim()
      const found = spawnSync("ps", ["-o", "pid=,args=", "--ppid", shell], { encoding: "utf8" }).stdout
      return Number.parseInt(found.split("\n").find((line) => line.includes(program)) ?? "", 10)
    },
  }
}

export const RETCON = `${process.execPath} ${resolve("dist/cli.cjs")}`

function environment(folder: string): Record<string, string> {
  const { PATH = "" } = process.env
  return { PATH, HOME: folder, RETCON_HOME: join(folder, "home"), TERM: "xterm-256color", PS1: "$ ", LANG: "C.UTF-8" }
}
