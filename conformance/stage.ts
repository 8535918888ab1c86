// One program in a home of its own, in front of a fake model; and retcon beside it. What cases are made of.
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parsePart } from "../src/model/record/part.ts"
import type { WireAnswer } from "../test/provider/wire/answer.ts"
import type { FakeModel } from "./model/fake-model.ts"
import { partSaid } from "./part-said.ts"
import type { Command, Listed, Place, Program } from "./programs/program.ts"
import { comparable, difference, type Said } from "./said.ts"
import type { Given } from "./worker.ts"

const LONGEST_MS = 120_000

export interface Ended {
  exit: number | string
  out: string
  err: string
}

export class Stage {
  readonly program: Program
  readonly model: FakeModel
  readonly place: Place
  readonly #folder: string
  readonly #retcon: string
  readonly #verbose: boolean

  constructor(program: Program, model: FakeModel, at: Pick<Given, "installed" | "folder" | "retcon" | "verbose">) {
    this.program = program
    this.model = model
    this.#folder = at.folder
    this.#retcon = at.retcon
    this.#verbose = at.verbose
    const live = join(at.folder, "live")
    this.place = { installed: at.installed, home: join(live, "home"), work: join(live, "work"), url: model.url }
    this.clear()
  }

  /** What differs between what was sent and what was expected; undefined when nothing does. */
  difference(sent: readonly Said[], expected: readonly Said[]): string | undefined {
    return difference(comparable(sent, this.program), comparable(expected, this.program))
  }

  /** As before the first prompt. */
  clear(): void {
    rmSync(join(this.#folder, "live"), { recursive: true, force: true })
    for (const folder of [this.place.home, this.place.work]) mkdirSync(folder, { recursive: true })
    this.program.setUp(this.place)
  }

  /** Keeps all that is on disk now under a name, to go back to: sessions name their own paths, so it stays in its place. */
  save(name: string): void {
    cpSync(join(this.#folder, "live"), join(this.#folder, name), { recursive: true, preserveTimestamps: true })
  }

  /** False: nothing was saved under that name. */
  load(name: string): boolean {
    const saved = join(this.#folder, name)
    if (!existsSync(saved)) return false
    rmSync(join(this.#folder, "live"), { recursive: true, force: true })
    cpSync(saved, join(this.#folder, "live"), { recursive: true, preserveTimestamps: true })
    return true
  }

  /** The program's session here, the one used last. */
  async session(): Promise<Listed | undefined> {
    const listed = JSON.parse(await this.retcon("ls", "--agent", this.program.agent, "--json")) as Listed[]
    return listed[0]
  }

  /** Asks a prompt, in the session that is there, in a new one, or by the command that retcon printed, and answers what the program sent for it, all of it. */
  async ask(prompt: string, answers = heard(prompt), resumes?: readonly string[]): Promise<Said[]> {
    this.model.script(prompt, answers)
    const since = this.model.count
    const resume = (resumes ?? (await this.session())?.resume ?? []).slice(1)
    const ended = await this.#run(this.program.ask(this.place, prompt, resume))
    const sent = this.model.asked(prompt, since)
    if (sent === undefined)
      throw new Error(`the prompt ${JSON.stringify(prompt)} did not reach the model: ${words(ended)}`)
    if (ended.exit !== 0) throw new Error(`the program failed: ${words(ended)}`)
    if (this.#verbose) process.stderr.write(`--- ${prompt}\n${sent.map(({ by, text }) => `${by}: ${text}\n`).join("")}`)
    return sent
  }

  /** Moves the head of the program's session with retcon. That no program has it open is known here. */
  async move(...args: string[]): Promise<void> {
    await this.retcon(...args, "-s", (await this.session())?.file ?? "", "--even-if-running")
  }

  /** The entries on the path of the program's session. */
  async entries(): Promise<{ id: string; type: string; role?: string }[]> {
    return JSON.parse(await this.retcon("show", "--json", "-s", (await this.session())?.file ?? ""))
  }

  /** The file that grows when the program's session does. */
  async lines(): Promise<string> {
    const file = (await this.session())?.file ?? ""
    return this.program.linesOf?.(file) ?? file
  }

  /** Brings the program to summarise the session; some do so only when the next prompt comes. */
  async compact(): Promise<void> {
    const { compacts } = this.program
    const session = await this.session()
    if (typeof compacts === "string" || session === undefined) throw new Error("there is nothing to compact")
    if ("tokens" in compacts) {
      const usage = { input: compacts.tokens, output: 20 }
      await this.ask("This fills the window.", [{ text: "It is nearly full.", usage }])
      return
    }
    const ended = await this.#run(compacts.by(this.place, session.resume.slice(1)))
    if (ended.exit !== 0) throw new Error(`the compaction failed: ${words(ended)}`)
  }

  /** What retcon says a session holds for the model: the program's, or the one that is named. */
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

  /** The session that a command of retcon makes for the program, and the command that it prints to resume it. */
  async made(...args: string[]): Promise<{ session: string; resume: string[] }> {
    return JSON.parse(await this.retcon(...args, "--json"))
  }

  /** Calls retcon in the program's folder and home. It must succeed. */
  async retcon(...args: string[]): Promise<string> {
    const ended = await this.#run({ argv: [process.execPath, this.#retcon, ...args] })
    if (ended.exit !== 0) throw new Error(`retcon ${args.join(" ")}: ${words(ended)}`)
    return ended.out
  }

  /** In an environment of its own, so that no setting of the machine counts. */
  #run({ argv, env, input = "" }: Command): Promise<Ended> {
    const [command, ...args] = argv
    const child = spawn(command, args, {
      cwd: this.place.work,
      env: { PATH: process.env.PATH, HOME: this.place.home, LANG: "C.UTF-8", TERM: "dumb", SHELL: "/bin/sh", ...env },
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

function heard(prompt: string): WireAnswer[] {
  return [{ text: `I heard: ${prompt}` }]
}

function words({ exit, out, err }: Ended): string {
  return `exit ${exit}, ${JSON.stringify(`${err.trim()} ${out.trim()}`.trim().slice(0, 600))}`
}
