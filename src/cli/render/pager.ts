// Long output on a terminal goes through a pager, as far as the person reads; short output stays on the screen.
import { once } from "node:events"
import type { Writable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { trustedPath } from "../../programs/find-program.ts"
import type { Cli } from "../port/cli.ts"
import { ignoringInterrupts } from "../process/interrupt.ts"

const DEFAULT_HEIGHT = 24

/** Contract: lines are made as they are read; closing the pager early ends the command without an error. */
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
  await writeRest(cli, all)
}

const SMALLEST_BATCH = 8
const LARGEST_BATCH = 256

/**
 * In batches: a write per line would be a system call per line. The reader may have seen enough: between two batches
 * there is time to notice that. A line may take long to make, so the first batches are small.
 */
async function writeRest(cli: Cli, rest: Iterator<string>): Promise<void> {
  let batch: string[] = []
  let size = SMALLEST_BATCH
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    if (batch.push(next.value) < size) continue
    cli.out.write(joined(batch))
    batch = []
    size = Math.min(size * 2, LARGEST_BATCH)
    await setImmediate()
  }
  cli.out.write(joined(batch))
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("")
}

/** Undefined: there is no terminal, or no pager is wanted. */
function pagerCommand(cli: Cli): string | undefined {
  const { PAGER, RETCON_NO_PAGER, TERM } = cli.env
  if (!cli.out.isTerminal || cli.settings.pager === "never" || TERM === "dumb") return undefined
  if (RETCON_NO_PAGER !== undefined && RETCON_NO_PAGER !== "") return undefined
  const command = PAGER === undefined ? "less" : PAGER.trim()
  return command === "" || command === "cat" ? undefined : command
}

/** What could not be shown because there is no such pager; undefined if it was shown. */
async function through(
  cli: Cli,
  command: string,
  screen: readonly string[],
  rest: Iterator<string>,
): Promise<readonly string[] | undefined> {
  // As git does: less passes colours through, and does not clear the screen, unless the person configured otherwise.
  const PATH = trustedPath({ path: cli.env.PATH, workspace: cli.cwd })
  const env = { ...cli.env, PATH, LESS: cli.env.LESS ?? "FRX", LV: cli.env.LV ?? "-c" }
  // Imported here: few lists are longer than the screen.
  const { spawn } = await import("node:child_process")
  const pager = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env })
  const ended = once(pager, "close") as Promise<[number | null]>
  // EPIPE: the person has read enough, or there is no pager. `write` notices; the exit code shows which.
  pager.stdin.on("error", () => pager.stdin.destroy())
  let sent: string[] | undefined = [...screen]
  let went = await write(pager.stdin, joined(screen))
  while (went !== "closed") {
    const next = rest.next()
    if (next.done === true) break
    // Once something was read, there is a pager, and what it got need not be kept.
    if (went === "drained") sent = undefined
    sent?.push(next.value)
    went = await write(pager.stdin, `${next.value}\n`)
  }
  pager.stdin.end()
  const [code] = await ended
  return code === NOT_FOUND ? sent : undefined
}

/** A shell's exit code for a command that does not exist. */
const NOT_FOUND = 127

async function write(stdin: Writable, text: string): Promise<"buffered" | "drained" | "closed"> {
  if (stdin.destroyed) return "closed"
  if (stdin.write(text)) return "buffered"
  return new Promise((resolve) => {
    const drained = () => {
      stdin.off("close", closed)
      resolve("drained")
    }
    const closed = () => {
      stdin.off("drain", drained)
      resolve("closed")
    }
    stdin.once("drain", drained)
    stdin.once("close", closed)
  })
}
