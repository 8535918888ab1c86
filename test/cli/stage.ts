// A home, a clock and ids of its own for each test, and retcon called as a person calls it, on a screen of any width.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { defaultSettings } from "../../src/app/config/settings.ts"
import { processDeps } from "../../src/cli/machine.ts"
import type { Cli, Output } from "../../src/cli/port/cli.ts"
import { runCommand } from "../../src/cli/run-retcon.ts"
import { type EntryId, makeIds } from "../../src/model/id.ts"
import type { Part } from "../../src/model/record/record.ts"
import { createSession, type NewSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"
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

/** Conversations for views to show, in few words. A prompt and an answer. Answers the ids of both. */
export async function round(session: Session, prompt: string, answer = "Done."): Promise<[EntryId, EntryId]> {
  const ids = await session.append([promptDraft(prompt), answerDraft(answer)])
  return ids as [EntryId, EntryId]
}

/** One step: a call of a tool and its result. */
export async function step(session: Session, name: string, input: Record<string, string>, output: string, say = "") {
  const call = `call-${session.history.size}`
  const words: Part[] = say === "" ? [] : [{ type: "text", text: say }]
  await session.append([
    answerDraft([...words, { type: "tool-call", call, name, input }]),
    toolDraft([{ type: "tool-result", call, name, output }]),
  ])
}

/** A session that has everything a graph can show: a backtrack, a label, two branches that were left, a compaction. */
export async function eventful(session: Session, wait: (minutes: number) => void): Promise<void> {
  await session.append({ type: "state", key: "system", value: "You are a coding agent." })
  await round(session, "Read src/store and tell me how an append works, and when it fails", "One write per batch.")
  wait(12)
  await session.append([promptDraft("Rename parse to parseRecord"), { type: "checkpoint", n: 0 }])
  await step(session, "grep", { pattern: "parse" }, "src/a.ts:1\n".repeat(40), "Let me look.")
  await session.append({ type: "checkpoint", n: 1 })
  for (let i = 0; i < 3; i++) await step(session, "read", { path: `src/file-${i}.ts` }, "x\n".repeat(300))
  wait(3)
  await session.backtrack({ checkpoint: 1, note: "Only record-parse.ts uses it.", facts: ["src/a.ts is changed"] })
  await session.append(answerDraft("Renamed in one file."))
  wait(50)
  await round(session, "试试用正则表达式解析 🎉 看看会不会更快", "更慢。")
  await round(session, "And with a scanner?", "Twice as fast.")
  await session.label("head", "scanner")
  await session.back({ rounds: 2 })
  await round(session, "Write the tests", "14 tests.")
  await session.compact({
    summarise: () => "parse is parseRecord now; it has tests.",
    tokens: () => ({ before: 84_000, after: 6_100 }),
    limits: { tokens: (text) => text.length, keepRounds: 0, keepTokens: 0, promptTokens: 100 },
  })
  wait(60 * 26)
  await round(session, "Now run them", "All green.")
}

/** Text that tries to steer the terminal and to reorder itself. */
export const HOSTILE = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u009b2Jclear \u202edrowssap\u202c \u0008\u007fend"
