// A place to run commands in process: a temporary home and directory, a clock that ticks, captured outputs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { readSettings, type Settings } from "../../src/app/config/settings.ts"
import { processDeps } from "../../src/cli/machine.ts"
import type { Cli, Input, Output } from "../../src/cli/port/cli.ts"
import { runCommand } from "../../src/cli/run-retcon.ts"
import { makeIds } from "../../src/model/id.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { testStore } from "../any-store.ts"

export interface Ran {
  exit: number
  out: string
  /** The same before it was read as text. */
  bytes: Buffer
  err: string
  /** What was printed, as JSON. */
  json: () => unknown
  /** The error printed with --json. */
  error: () => { code: string; message: string; hint: string }
}

export interface BenchOptions {
  width?: number
  colours?: boolean
  isTerminal?: boolean
  settings?: Partial<Settings>
  /** What standard input holds. */
  input?: string | Uint8Array
  /** What a person answers when asked. */
  answer?: string
}

export class Bench {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-cli-")))
  readonly home = join(this.folder, "home")
  cwd = join(this.folder, "project")
  readonly asked: string[] = []
  #clock = Date.parse("2026-01-02T03:04:05.000Z")

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }))
    mkdirSync(this.cwd)
  }

  /** Other agents' files have real times: what is done from now on is later. */
  later(): void {
    this.#clock = Date.parse("2030-01-02T03:04:05.000Z")
  }

  tick = (): number => (this.#clock += 1000)

  cli(options: BenchOptions = {}, outputs = { out: capture(options), err: capture(options) }): Cli {
    const ids = makeIds({ now: this.tick, random: (bytes) => void crypto.getRandomValues(bytes) })
    return {
      home: this.home,
      cwd: this.cwd,
      store: testStore(this.home, join(this.folder, "person"), this.tick),
      sessionOptions: { ids, now: () => new Date(this.tick()).toISOString(), durability: "fast" },
      settings: { ...readSettings(undefined).settings, ...options.settings },
      made: { name: "retcon", version: "0.0.0" },
      now: () => this.#clock,
      in: this.#input(options),
      ...outputs,
      env: {},
      ...processDeps(outputs.err),
    }
  }

  async run(words: readonly string[], options: BenchOptions = {}): Promise<Ran> {
    const [out, err] = [capture(options), capture(options)]
    const start = async () => this.cli(options, { out, err })
    const exit = await runCommand(words, { version: "0.0.0", out, err, debug: false, start })
    return {
      exit,
      out: out.text,
      bytes: out.bytes,
      err: err.text,
      json: () => JSON.parse(out.text),
      error: () => (JSON.parse(err.text) as { error: { code: string; message: string; hint: string } }).error,
    }
  }

  /** Writes a file into the working directory. */
  file(name: string, content: string | Uint8Array): string {
    writeFileSync(join(this.cwd, name), content)
    return name
  }

  /** A session of rounds: "ask 1" answered by "answer 1", and so on. */
  async session(rounds: number, cwd = this.cwd): Promise<Session> {
    const { store, sessionOptions, made } = this.cli()
    const session = await createSession(store, { cwd, made }, sessionOptions)
    for (let n = 1; n <= rounds; n++) await session.append([promptDraft(`ask ${n}`), answerDraft(`answer ${n}`)])
    await session.close()
    return session
  }

  /** The session as it is on disk now. */
  async open(session: Session): Promise<Session> {
    const { store, sessionOptions } = this.cli()
    return openSession(store, session.id, sessionOptions)
  }

  #input(options: BenchOptions): Input {
    return {
      isTerminal: options.answer !== undefined,
      isPiped: options.answer === undefined,
      readAll: async (limit) => {
        const bytes = new TextEncoder().encode(String(options.input ?? ""))
        return bytes.length > limit ? undefined : bytes
      },
      ask: async (question) => {
        this.asked.push(question)
        return options.answer ?? ""
      },
    }
  }
}

function capture(options: BenchOptions): Output & { text: string; bytes: Buffer } {
  const written: Buffer[] = []
  return {
    get text() {
      return Buffer.concat(written).toString()
    },
    get bytes() {
      return Buffer.concat(written)
    },
    write: (text) => void written.push(Buffer.from(text as string)),
    isTerminal: options.isTerminal ?? false,
    width: options.width ?? 80,
    colours: options.colours ?? false,
  }
}
