// Long output on a terminal goes through a pager, as far as the person reads; short output stays on the screen.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Cli } from "../cli.ts"
import { ignoringInterrupts } from "../interrupt.ts"

const DEFAULT_HEIGHT = 24

/** Contract: lines are asked for as they are read; a pager that is closed early ends the command without an error. */
export async function page(cli: Cli, lines: Iterable<string>): Promise<void> {
  const all = lines[Symbol.iterator]()
  const command = pagerCommand(cli)
  const screen: string[] = []
  if (command !== undefined) {
    const height = (cli.out.height ?? DEFAULT_HEIGHT) - 1
    while (screen.length < height) {
      const next = all.next()
      if (next.done === true) {
        cli.out.write(joined(screen))
        return
      }
      screen.push(next.value)
    }
    const unread = await ignoringInterrupts(() => through(cli, command, screen, all))
    if (unread === undefined) return
    screen.splice(0, screen.length, ...unread)
  }
  cli.out.write(joined(screen))
  writeRest(cli, all)
}

/** In batches: a write for each line would be a system call for each line. */
function writeRest(cli: Cli, rest: Iterator<string>): void {
  let batch: string[] = []
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    if (batch.push(next.value) < 256) continue
    cli.out.write(joined(batch))
    batch = []
  }
  cli.out.write(joined(batch))
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("")
}

/** Undefined: nobody looks, or nobody wants one. */
function pagerCommand(cli: Cli): string | undefined {
  const { PAGER, RETCON_NO_PAGER, TERM } = cli.env
  if (!cli.out.isTerminal || cli.settings.pager === "never" || TERM === "dumb") return undefined
  if (RETCON_NO_PAGER !== undefined && RETCON_NO_PAGER !== "") return undefined
  const command = PAGER === undefined ? "less" : PAGER.trim()
  return command === "" || command === "cat" ? undefined : command
}

/** What could not be shown because there is no such pager; undefined when it was shown. */
async function through(
  cli: Cli,
  command: string,
  screen: readonly string[],
  rest: Iterator<string>,
): Promise<readonly string[] | undefined> {
  // As git does: less passes colours through, and does not clear the screen, unless the person has other wishes.
  const env = { ...cli.env, LESS: cli.env.LESS ?? "FRX", LV: cli.env.LV ?? "-c" }
  const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env })
  const ended = once(pager, "close") as Promise<[number | null]>
  let open = true
  // EPIPE: the person has read enough. `open` says so; whatever else goes wrong ends the pager, too.
  const closed = () => {
    open = false
  }
  pager.stdin.on("error", closed)
  pager.stdin.on("close", closed)
  open = await write(pager, joined(screen))
  for (let next = rest.next(); open && next.done !== true; next = rest.next()) {
    open = await write(pager, `${next.value}\n`)
  }
  pager.stdin.end()
  const [code] = await ended
  return code === NOT_FOUND ? screen : undefined
}

/** What a shell answers for a command that is not there. */
const NOT_FOUND = 127

/** Contract: answers false when nobody reads any more. */
async function write(pager: ChildProcess, text: string): Promise<boolean> {
  const { stdin } = pager
  if (stdin === null || stdin.destroyed) return false
  if (stdin.write(text)) return true
  return new Promise((resolve) => {
    const done = (open: boolean) => () => {
      stdin.off("drain", drained)
      stdin.off("close", closed)
      resolve(open)
    }
    const drained = done(true)
    const closed = done(false)
    stdin.once("drain", drained)
    stdin.once("close", closed)
  })
}
