// A home, a clock and ids of its own for each test, and retcon called as a person calls it, on a screen of any width.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { defaultSettings } from "../../src/app/config/settings.ts"
import { processDeps } from "../../src/cli/machine.ts"
import type { Cli, Output } from "../../src/cli/port/cli.ts"
import { runCommand } from "../../src/cli/run-retcon.ts"
import { makeIds } from "../../src/model/id.ts"
import { createSession, type NewSession, type Session } from "../../src/session/session.ts"
import type { FileStore } from "../../src/store/file/file-store.ts"
import { testStore } from "../any-store.ts"

export interface Screen {
  width?: number
  colours?: boolean
  /** A person looks: long lines are broken. Nothing is paged. */
  terminal?: boolean
  env?: Record<string, string>
  /** What is piped into it; without it, a keyboard is there and nobody types. */
  input?: string
}

export interface Printed {
  out: string
  err: string
  exit: number
}

export interface Stage {
  home: string
  cwd: string
  store: FileStore
  /** Lets time pass. */
  wait: (minutes: number) => void
  session(wanted?: Partial<NewSession>): Promise<Session>
  /** Calls retcon; words are separated by spaces, or given one by one. */
  retcon(words: string | readonly string[], screen?: Screen): Promise<Printed>
}

const MINUTE = 60_000

export function makeStage(): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-cli-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "work")]
  let now = Date.parse("2026-03-01T12:00:00.000Z")
  let made = 0
  const random = (bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = (++made * 97 + (made >> 8) * 13) & 255
  }
  const sessionOptions = {
    ids: makeIds({ now: () => now, random }),
    now: () => new Date(now).toISOString(),
    durability: "fast" as const,
  }
  const store = testStore(home, join(folder, "person"), () => now)
  const program = { name: "retcon", version: "0.0.0" }

  return {
    home,
    cwd,
    store,
    wait: (minutes) => {
      now += minutes * MINUTE
    },
    session: (wanted = {}) => createSession(store, { cwd, made: program, ...wanted }, sessionOptions),
    async retcon(words, screen = {}) {
      const out = paper(screen)
      const err = paper(screen)
      const cli: Cli = {
        home,
        cwd,
        store,
        sessionOptions,
        settings: defaultSettings(),
        made: program,
        now: () => now,
        in: {
          isTerminal: false,
          isPiped: screen.input !== undefined,
          readAll: async (limit) => {
            const bytes = Buffer.from(screen.input ?? "")
            return bytes.length > limit ? undefined : bytes
          },
          ask: async () => "",
        },
        out,
        err,
        env: { RETCON_NO_PAGER: "1", ...screen.env },
        ...processDeps(err),
      }
      const start = async () => cli
      const list = typeof words === "string" ? words.split(" ") : words
      const exit = await runCommand(list, { version: "0.0.0", out, err, debug: false, start })
      return { out: out.text(), err: err.text(), exit }
    },
  }
}

function paper({ width = 80, colours = false, terminal = false }: Screen): Output & { text(): string } {
  const written: Buffer[] = []
  const write = (text: string | Uint8Array) => void written.push(Buffer.from(text as string))
  return { write, isTerminal: terminal, width, colours, text: () => Buffer.concat(written).toString() }
}
