// One program in its own home, in front of a fake model; and retcon beside it. Cases consist of calls to this.
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { Json } from "../src/model/json.ts"
import { parsePart } from "../src/model/record/record.ts"
import type { WireAnswer, WireRequest } from "../test/provider/wire/server.ts"
import { type FakeModel, promptIn, type Scripted } from "./model/fake-model.ts"
import { partSaid } from "./part-said.ts"
import type { Command, Listed, Place, Program, TypedProgram } from "./programs/program.ts"
import { comparable, difference, type Said } from "./said.ts"
import { Terminal } from "./terminal.ts"
import { LONGEST_MS, until, within } from "./waits.ts"
import type { Given } from "./worker.ts"

export interface Ended {
  exit: number | string
  out: string
  err: string
}

/** Sends a request to the server: a POST if there is a body. */
export type Ask = (path: string, body?: object) => Promise<{ [key: string]: unknown }>

/** A running server. */
export interface Served {
  ask: Ask
  /** Runs a retcon command beside it. */
  beside: (...args: string[]) => Promise<Ended>
  /** Kills the server; resolves when it is gone. */
  kill: () => Promise<void>
  /** Kills what it drives. */
  killProgram: () => void
}

/** retcon does not move there. The message is its reason. */
export class Refused extends Error {}

export class Stage {
  readonly program: Program
  readonly model: FakeModel
  readonly place: Place
  readonly #folder: string
  readonly #retcon: string
  readonly #verbose: boolean
  /** Undefined: it may have changed. */
  #session: Listed | undefined
  /** With which the program can be driven, while it is. */
  #served: Record<string, string> = {}

  constructor(
    program: Program,
    model: FakeModel,
    at: Pick<Given, "installed" | "adapter" | "folder" | "retcon" | "verbose">,
  ) {
    this.program = program
    this.model = model
    this.#folder = at.folder
    this.#retcon = at.retcon
    this.#verbose = at.verbose
    const live = join(at.folder, "live")
    const { installed, adapter } = at
    this.place = { installed, adapter, home: join(live, "home"), work: join(live, "work"), url: model.url }
    this.clear()
  }

  /** What counts of what was said. */
  comparable(said: readonly Said[]): Said[] {
    return comparable(said, this.program)
  }

  /** What differs between what was sent and what was expected; undefined if nothing does. */
  difference(sent: readonly Said[], expected: readonly Said[]): string | undefined {
    return difference(this.comparable(sent), this.comparable(expected))
  }

  /** Returns to the state before the first prompt. */
  clear(): void {
    this.#session = undefined
    rmSync(join(this.#folder, "live"), { recursive: true, force: true })
    for (const folder of [this.place.home, this.place.work]) mkdirSync(folder, { recursive: true })
    this.program.setUp(this.place)
  }

  /**
   * Saves everything on disk under a name, to return to: sessions contain their own paths, so it stays in its place.
   */
  save(name: string): void {
    const saved = join(this.#folder, name)
    rmSync(saved, { recursive: true, force: true })
    cpSync(join(this.#folder, "live"), saved, { recursive: true, preserveTimestamps: true })
  }

  /** False: nothing was saved under that name. */
  load(name: string): boolean {
    const saved = join(this.#folder, name)
    if (!existsSync(saved)) return false
    this.#session = undefined
    rmSync(join(this.#folder, "live"), { recursive: true, force: true })
    cpSync(saved, join(this.#folder, "live"), { recursive: true, preserveTimestamps: true })
    return true
  }

  /** The program may have begun another session. */
  forget(): void {
    this.#session = undefined
  }

  /** The program's session here, the one used last. */
  async session(): Promise<Listed | undefined> {
    if (this.#session !== undefined) return this.#session
    const listed = JSON.parse(await this.retcon("ls", "--agent", this.program.agent, "--json")) as Listed[]
    this.#session = listed[0]
    return this.#session
  }

  /**
   * Sends a prompt, in the existing session, in a new one, or with the command that retcon printed, and returns
   * everything that the program sent for it.
   */
  async ask(prompt: string, answers = heard(prompt), resumes?: readonly string[]): Promise<Said[]> {
    this.model.script(prompt, answers)
    const since = this.model.count
    const resume = (resumes ?? (await this.session())?.resume ?? []).slice(1)
    const ended = await this.#runProgram(this.program.ask(this.place, prompt, resume))
    const sent = this.model.asked(prompt, since)
    if (sent === undefined)
      throw new Error(`the prompt ${JSON.stringify(prompt)} did not reach the model: ${wordsOf(ended)}`)
    if (ended.exit !== 0) throw new Error(`the program failed: ${wordsOf(ended)}`)
    if (this.#verbose) {
      const counted = this.comparable(sent).map(({ by, text }) => `${by}: ${text}\n`)
      process.stderr.write(`--- ${prompt}\n${counted.join("")}`)
    }
    return sent
  }

  /** Runs the program in a terminal while `use` runs: in the existing session, or in a new one. */
  async inTerminal<Value>(use: (terminal: Terminal, typed: TypedProgram) => Promise<Value>): Promise<Value> {
    const { typed } = this.program
    if (typed === undefined) throw new Error("nobody knows how to type in it")
    typed.setUp(this.place)
    const command = typed.command(this.place, (await this.session())?.resume.slice(1) ?? [])
    const terminal = new Terminal(join(this.#folder, "tmux"), command, { cwd: this.place.work, env: this.#environment })
    try {
      const { ready, asks = ready } = typed
      const shown = await terminal.sees(new RegExp(`${ready.source}|${asks.source}`, "m"))
      if (!ready.test(shown)) terminal.press("Enter")
      await terminal.sees(ready)
      const value = await use(terminal, typed)
      await typed.leave(terminal)
      await terminal.ended()
      return value
    } finally {
      terminal.close()
      this.#session = undefined
    }
  }

  /** Types a prompt into a terminal, waits for the answer, and returns what the program sent for the prompt. */
  async typed(terminal: Terminal, prompt: string, answers = heard(prompt)): Promise<Said[]> {
    const since = this.model.count
    await this.enter(terminal, prompt, answers)
    await terminal.sees(answers.at(-1)?.text ?? "")
    return this.model.asked(prompt, since) ?? []
  }

  /** Types a prompt into a terminal; resolves with the request when it has reached the model. */
  async enter(terminal: Terminal, prompt: string, answers: Scripted[]): Promise<WireRequest> {
    this.model.script(prompt, answers)
    const since = this.model.count
    await terminal.type(prompt)
    terminal.press("Enter")
    const arrives = this.model.arrives(since, (said) => promptIn(said, prompt) >= 0)
    return within(arrives, `the model gets ${JSON.stringify(prompt)}`)
  }

  /** Moves the head of the program's session with retcon, or throws `Refused`. We know that no program has it open. */
  async move(...args: string[]): Promise<void> {
    const words = [...args, "--json", "-s", (await this.session())?.file ?? "", "--even-if-running"]
    const ended = await this.#run({ argv: [process.execPath, this.#retcon, ...words] })
    if (ended.exit !== 0) throw new Refused(failure(ended).message)
  }

  /** What retcon says of the program's session as JSON. */
  async json(...args: string[]): Promise<Json> {
    return JSON.parse(await this.retcon(...args, "--json", "-s", (await this.session())?.file ?? ""))
  }

  /** Whether retcon says that the program would not continue from there. */
  async refuses(...args: string[]): Promise<boolean> {
    const words = [...args, "--dry-run", "--json", "-s", (await this.session())?.file ?? "", "--even-if-running"]
    const ended = await this.#run({ argv: [process.execPath, this.#retcon, ...words] })
    return ended.exit !== 0 && failure(ended).code === "not-honoured"
  }

  /** The entries on the path of the program's session. */
  async entries(): Promise<{ id: string; type: string; origin?: string; content?: { type: string }[] }[]> {
    return JSON.parse(await this.retcon("show", "--json", "-s", (await this.session())?.file ?? ""))
  }

  /** The first entry, in any branch, with this text. */
  async search(text: string): Promise<string | undefined> {
    const found = JSON.parse(await this.retcon("search", `"${text}"`, "--agent", this.program.agent, "--json"))
    return (found as { sessions: { hits: { entry: string }[] }[] }).sessions[0]?.hits[0]?.entry
  }

  /** The file that grows when the program's session does. */
  async lines(): Promise<string> {
    const file = (await this.session())?.file ?? ""
    return this.program.linesOf?.(file) ?? file
  }

  /** Makes the program summarise the session; some do so only when the next prompt comes. */
  async compact(): Promise<void> {
    const { compacts } = this.program
    const session = await this.session()
    if (typeof compacts === "string" || session === undefined) throw new Error("there is nothing to compact")
    if ("tokens" in compacts) {
      const usage = { input: compacts.tokens, output: 20 }
      await this.ask("This fills the window.", [{ text: "It is nearly full.", usage }])
      return
    }
    const ended = await this.#runProgram(compacts.by(this.place, session.resume.slice(1)))
    if (ended.exit !== 0) throw new Error(`the compaction failed: ${wordsOf(ended)}`)
  }

  /** What the model would get of a session according to retcon: the program's, or the named one. */
  async context(named?: string): Promise<Said[]> {
    const session = named ?? (await this.session())?.file ?? ""
    const shown = JSON.parse(await this.retcon("show", "--context", "--json", "-s", session))
    const said = (shown as { role: string; content: [] }[]).flatMap(({ role, content }) =>
      content.flatMap((part) => partSaid(role, parsePart(part))),
    )
    return said
  }

  async prompts(named?: string): Promise<string[]> {
    const session = named ?? (await this.session())?.file ?? ""
    const shown = JSON.parse(await this.retcon("prompts", "--json", "-s", session))
    return (shown as { text: string }[]).map(({ text }) => text)
  }

  /** The session that a retcon command makes for the program, and the command that it prints to resume it. */
  async made(...args: string[]): Promise<{ session: string; resume: string[]; lost?: unknown[] }> {
    return JSON.parse(await this.retcon(...args, "--json"))
  }

  /** Calls retcon in the program's folder and home. It must succeed. */
  async retcon(...args: string[]): Promise<string> {
    const ended = await this.#run({ argv: [process.execPath, this.#retcon, ...args] })
    if (ended.exit !== 0) throw new Error(`retcon ${args.join(" ")}: ${wordsOf(ended)}`)
    return ended.out
  }

  /** Runs `retcon serve`, with the program on its path, while `work` runs. Nothing that it started may be left afterwards. */
  async served<Value>(work: (served: Served) => Promise<Value>, { asks = false } = {}): Promise<Value> {
    const { driven } = this.program
    if (driven === undefined) throw new Error("retcon does not drive it")
    const { argv, env } = driven.start(this.place)
    const bin = join(this.#folder, "bin")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, driven.name), `#!/bin/sh\nexec ${argv.join(" ")} "$@"\n`, { mode: 0o755 })
    this.#served = { ...env, ...(asks && driven.asks?.env), PATH: [bin, process.env.PATH ?? ""].join(delimiter) }
    const words = [this.#retcon, "serve", "--port", "0", "--no-open", "--json", "--model", "practice"]
    const child = spawn(process.execPath, words, {
      cwd: this.place.work,
      env: { ...this.#environment, ...this.#served },
      stdio: ["ignore", "pipe", "inherit"],
    })
    const ended = new Promise<void>((settle) => child.on("close", () => settle()))
    try {
      const line = await new Promise<string>((settle) => child.stdout.once("data", (text) => settle(String(text))))
      const { url, token } = JSON.parse(line) as { url: string; token: string }
      return await work({
        ask: (path, body) => asked(`${url}/api/${path}`, token, body),
        beside: (...args) => this.#run({ argv: [process.execPath, this.#retcon, ...args] }),
        async kill() {
          child.kill("SIGKILL")
          await ended
        },
        killProgram: () => {
          for (const { pid, words } of this.#processes())
            if (pid !== child.pid && !words.includes(this.#retcon)) process.kill(pid, "SIGKILL")
        },
      })
    } finally {
      child.kill("SIGINT")
      await ended
      this.#served = {}
      const left = () => this.#processes().map(({ words }) => words)
      await until(
        () => left().length === 0,
        () => `these processes are left: ${left().join("; ")}`,
      )
    }
  }

  /** What runs in the program's home. */
  #processes(): { pid: number; words: string }[] {
    return readdirSync("/proc").flatMap((name) => {
      const pid = Number(name)
      if (!Number.isInteger(pid) || pid === process.pid) return []
      try {
        const [environ = "", words = "", stat = ""] = ["environ", "cmdline", "stat"].map((each) =>
          readFileSync(join("/proc", name, each), "utf8"),
        )
        if (!environ.split("\0").includes(`HOME=${this.place.home}`) || /^\d+ \(.*\) [ZX]/s.test(stat)) return []
        return [{ pid, words: words.replaceAll("\0", " ").trim() }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
  }

  /** None of the machine's own variables, so that none of its settings count. */
  get #environment(): Record<string, string> {
    const own = { PATH: process.env.PATH ?? "", HOME: this.place.home, LANG: "C.UTF-8", SHELL: "/bin/sh" }
    return { ...own, ...this.#served }
  }

  /** It may start another session. */
  #runProgram(command: Command): Promise<Ended> {
    this.#session = undefined
    return this.#run(command)
  }

  #run({ argv, env, input = "" }: Command): Promise<Ended> {
    const [command, ...args] = argv
    const child = spawn(command, args, {
      cwd: this.place.work,
      env: { ...this.#environment, TERM: "dumb", ...env },
      stdio: ["pipe", "pipe", "pipe"],
      timeout: LONGEST_MS,
      killSignal: "SIGKILL",
    })
    child.stdin.on("error", () => (ended.err += "It did not read its input.")).end(input)
    const ended: Ended = { exit: 0, out: "", err: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      ended.out += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      ended.err += text
    })
    return new Promise((resolve, reject) => {
      child.on("error", reject)
      child.on("close", (code, signal) => resolve({ ...ended, exit: code ?? signal ?? "" }))
    })
  }
}

/** What retcon says with `--json` if it fails. */
function failure(ended: Ended): { code: string; message: string } {
  try {
    return (JSON.parse(ended.err) as { error: { code: string; message: string } }).error
  } catch {
    throw new Error(`retcon failed: ${wordsOf(ended)}`)
  }
}

async function asked(url: string, token: string, body?: object): Promise<{ [key: string]: unknown }> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
  const response = await fetch(url, { headers, ...post })
  const answer = (await response.json()) as { [key: string]: unknown }
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  return answer
}

function heard(prompt: string): WireAnswer[] {
  return [{ text: `I heard: ${prompt}` }]
}

function wordsOf({ exit, out, err }: Ended): string {
  return `exit ${exit}, ${JSON.stringify(`${err.trim()} ${out.trim()}`.trim().slice(0, 600))}`
}
