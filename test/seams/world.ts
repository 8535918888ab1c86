// One session, one home, and every way to work in it, each a real process: the command line, `retcon serve`, `retcon --plain` (the
// terminal's host without its screen), and `retcon mcp`.
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { onTestFinished } from "vitest"
import { within } from "../within.ts"
import { CLAUDE_PROGRAM } from "./naive-claude.ts"
import { PI_PROGRAM } from "./naive-pi.ts"

const PROGRAM = resolve("dist/cli.cjs")
const AGENT = ["--model", "practice", "--mode", "yolo"]

export interface Ran {
  exit: number | null
  out: string
  err: string
}

export interface Started {
  child: ChildProcess
  ended: Promise<Ran>
  /** Resolves when it has printed this since the last time, or has ended. */
  sees: (text: string) => Promise<string>
}

export class World {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-seams-")))
  readonly cwd = join(this.folder, "work")
  readonly home = join(this.folder, "home")
  readonly env: Record<string, string>
  /** What every process wrote on its standard error. */
  readonly errors: string[] = []

  constructor(more: Record<string, string> = {}) {
    mkdirSync(this.cwd)
    this.env = {
      PATH: process.env.PATH ?? "",
      HOME: join(this.folder, "person"),
      RETCON_HOME: this.home,
      RETCON_NO_PAGER: "1",
      ...more,
    }
    mkdirSync(join(this.folder, "person"), { recursive: true })
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }))
  }

  start(words: readonly string[], input: "none" | "lines" = "none", program = PROGRAM): Started {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: this.cwd,
      env: this.env,
      stdio: [input === "none" ? "ignore" : "pipe", "pipe", "pipe"],
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    let [out, err, read] = ["", "", 0]
    let wake = () => {}
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text
      wake()
    })
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text))
    const state = { over: false }
    const ended = new Promise<Ran>((settle) =>
      child.on("close", (exit) => {
        state.over = true
        wake()
        if (err !== "") this.errors.push(`${words.join(" ")}: ${err}`)
        settle({ exit, out, err })
      }),
    )
    return {
      child,
      ended,
      sees: async (text) => {
        while (!out.slice(read).includes(text) && !state.over)
          await within(
            new Promise<void>((settle) => (wake = settle)),
            () => `no "${text}" in\n${out.slice(read)}\n${err}`,
          )
        const at = out.indexOf(text, read)
        const until = at < 0 ? out.length : at + text.length
        const seen = out.slice(read, until)
        read = until
        return seen
      },
    }
  }

  shell(...words: string[]): Promise<Ran> {
    return this.start(words).ended
  }

  /** A command's answer as data: what it printed, or its error. */
  async asks(...words: string[]): Promise<Answer> {
    const { exit, out, err } = await this.shell(...words, "--json")
    const text = exit === 0 ? out : err.trim().split("\n").at(-1)
    try {
      return JSON.parse(text ?? "") as Answer
    } catch {
      throw new Error(`retcon ${words.join(" ")} ended with ${exit} and no JSON:\n${out}\n${err}`)
    }
  }

  files(): Record<string, string> {
    const names = readdirSync(this.cwd).filter((name) => !name.startsWith("."))
    return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(this.cwd, name), "utf8").trimEnd()]))
  }

  /** The same home and processes, for sessions of another folder. */
  inFolder(name: string): World {
    const cwd = join(this.folder, name)
    mkdirSync(cwd)
    return Object.create(this, { cwd: { value: cwd } }) as World
  }

  /** Files of retcon's home that only a process at work needs. */
  leftovers(): string[] {
    const all = readdirSync(this.home, { recursive: true, withFileTypes: true })
    const files = all.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name)
    return files.filter((name) => /\.(?:lease|move|lock|tmp|claim|takeover)$|^tmp-\d/.test(name))
  }
}

/** A home in which another agent's program works too. */
export abstract class AgentWorld extends World {
  readonly id = randomUUID()
  abstract readonly session: string
  abstract readonly program: string
  /** What a waiting program waits for. */
  readonly go = join(this.folder, "go")

  /** A person's prompt in the program itself. */
  agent(prompt: string): Started {
    const started = this.start([], "lines", this.program)
    started.child.stdin?.end(prompt)
    return started
  }

  /** Whether the program has the session open. */
  abstract works(): boolean

  /** The PATH with a program of this name. */
  protected withProgram(name: string, script: string): string {
    const bin = join(this.folder, "bin")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return `${bin}:${this.env.PATH}`
  }
}

/** retcon finds by its name that it may be running. */
export class PiWorld extends AgentWorld {
  readonly session: string
  readonly program = PI_PROGRAM

  constructor() {
    super()
    const project = join(this.folder, "person", ".pi/agent/sessions", `--${this.cwd.slice(1).replaceAll("/", "-")}--`)
    this.session = join(project, `2026-11-18T10-00-00-000Z_${this.id}.jsonl`)
    mkdirSync(project, { recursive: true })
    const header = { type: "session", version: 3, id: this.id, timestamp: new Date().toISOString(), cwd: this.cwd }
    writeFileSync(this.session, `${JSON.stringify(header)}\n`)
    // It gets no variables of retcon's but those of pi.
    const own = { SESSION_FILE: this.session, GO: this.go }
    const given = Object.entries(own).map(([name, value]) => `${name}='${value}'`)
    const PATH = this.withProgram("pi-acp", `${given.join(" ")} exec ${process.execPath} ${PI_PROGRAM} acp`)
    Object.assign(this.env, own, { PATH })
  }

  works(): boolean {
    return false
  }
}

/** With retcon's hook. */
export class ClaudeWorld extends AgentWorld {
  readonly session: string
  readonly program = CLAUDE_PROGRAM
  readonly #registry: string

  constructor() {
    super()
    const config = join(this.folder, "person", ".claude")
    const project = join(config, "projects", this.cwd.replace(/[^A-Za-z0-9]/g, "-"))
    this.session = join(project, `${this.id}.jsonl`)
    this.#registry = join(config, "sessions")
    for (const folder of [project, this.#registry]) mkdirSync(folder, { recursive: true })
    Object.assign(this.env, {
      PATH: this.withProgram("claude", `exec ${process.execPath} ${CLAUDE_PROGRAM} "$@"`),
      SESSION_FILE: this.session,
      CLAUDE_HOOK: resolve("dist/hook.cjs"),
      GO: this.go,
    })
  }

  works(): boolean {
    return readdirSync(this.#registry).length > 0
  }
}

export interface Answer {
  outcome?: string
  operation?: string
  kind?: string
  from?: string | null
  head?: string | null
  entry?: string
  session?: string
  files?: { path: string }[]
  error?: { code: string; message: string; head?: string | null }
}

/** An answer of the server: `status`, and what it says. */
export type Served = Answer & {
  status: number
  code?: string
  detail?: string
  steers?: boolean
  failure?: { head?: string | null }
}

/** The head that an answer tells, also one that refuses because of it. */
export function headOf(answer: Served): string | null | undefined {
  return answer.failure === undefined ? answer.head : answer.failure.head
}

export interface Server {
  ask: (path: string, body?: object) => Promise<Served>
  stop: () => Promise<Ran>
}

export async function startServer(world: World): Promise<Server> {
  const { child, ended, sees } = world.start(["serve", "--port", "0", "--no-open", "--json", ...AGENT])
  const { url, token } = JSON.parse(await sees("\n")) as { url: string; token: string }
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  return {
    async ask(path, body) {
      const method = body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) }
      const answer = await fetch(`${new URL(url).origin}/api${path}`, { ...method, headers })
      const said = (await answer.json().catch(() => ({}))) as Answer
      return { ...said, status: answer.status }
    },
    stop() {
      child.kill("SIGINT")
      return ended
    },
  }
}

/** A person at `retcon --plain`: lines go in one after the other. */
export interface Plain {
  /** What it printed for a line, up to the point where it reads the next one. */
  line: (text: string) => Promise<string>
  begin: (text: string) => void
  sees: (text: string) => Promise<string>
  /** Up to the point where it reads the next line. */
  rest: () => Promise<string>
  interrupt: () => void
  stop: () => Promise<Ran>
}

export async function startPlain(world: World, session: string, ready = "/help for help"): Promise<Plain> {
  const { child, ended, sees } = world.start(["--plain", "-r", session, ...AGENT], "lines")
  await sees(ready)
  const begin = (text: string) => void child.stdin?.write(`${text}\n`)
  const rest = () => {
    begin("/zzz")
    return sees("There is no command /zzz.")
  }
  return {
    begin,
    sees,
    rest,
    line(text) {
      begin(text)
      return rest()
    },
    interrupt: () => void child.kill("SIGINT"),
    stop() {
      child.stdin?.end()
      return ended
    },
  }
}

/** `agent`: whose client this says it is. */
export async function startMcp(world: World, agent: string): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp"],
    cwd: world.cwd,
    env: world.env,
  })
  const client = new Client({ name: agent, version: "1" })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

export const RUN = ["run", ...AGENT]

export interface Prompt {
  text: string
  passed?: boolean
}

/** Those that the agent's Backtrack has not left. */
export function onPath(prompts: readonly Prompt[]): string[] {
  return prompts.filter(({ passed }) => passed !== true).map(({ text }) => text)
}
