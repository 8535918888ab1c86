// The session on which steps are made, by real processes; what each was answered; and whether that is true.
import { existsSync } from "node:fs"
import type { Client } from "@modelcontextprotocol/client"
import { expect } from "vitest"
import { until, within } from "../within.ts"
import { type NaiveLog, naiveLog } from "./naive-log.ts"
import { type Act, FRONT_ENDS, type FrontEnd, type Step, stepWords } from "./steps.ts"
import {
  type Answer,
  headOf,
  type Plain,
  RUN,
  type Served,
  type Server,
  startMcp,
  startPlain,
  startServer,
  World,
} from "./world.ts"

const VIA = { shell: "command-line", server: "api", plain: "terminal", mcp: "mcp" } as const

/** What an answer claims. */
interface Claims {
  /** Moves that each front end was told it made; and with which operation, if it was told. */
  moved: Record<string, number>
  operations: Answer[]
  /** Prompts that were accepted, refused, or given back. */
  sent: Map<string, "in" | "out" | "either">
  labels: Map<string, string | undefined>
}

export class Stage {
  readonly #world: World
  readonly #server: Server
  readonly #plain: Plain
  readonly #mcp: Client
  readonly #id: string
  readonly #file: string
  readonly #claims: Claims = { moved: {}, operations: [], sent: new Map(), labels: new Map() }
  readonly #trace: string[] = []
  /** The head that the server's client was shown last. */
  #shown: string | null = null
  #named = 0

  private constructor(world: World, server: Server, plain: Plain, mcp: Client, session: { id: string; file: string }) {
    this.#world = world
    this.#server = server
    this.#plain = plain
    this.#mcp = mcp
    this.#id = session.id
    this.#file = session.file
  }

  /** Three rounds are there from the start, and everybody has the session open. */
  static async open(): Promise<Stage> {
    const world = new World()
    expect((await world.shell("config", "mcp.restore", "apply")).exit).toBe(0)
    const server = await startServer(world)
    const created = (await server.ask("/sessions", { cwd: world.cwd })) as Served & { id: string; file: string }
    for (const name of ["a", "b", "c"]) {
      const answer = await server.ask(`/sessions/${created.id}/converse`, {
        text: `create ${name}.txt with 0`,
        wait: true,
      })
      expect(answer.outcome).toBe("done")
    }
    const [plain, mcp] = await Promise.all([startPlain(world, created.id), startMcp(world)])
    return new Stage(world, server, plain, mcp, created)
  }

  told(): string {
    return `What was done, in order:\n${this.#trace.join("\n")}\nStandard error:\n${this.#world.errors.join("\n")}`
  }

  log(): NaiveLog {
    return naiveLog(this.#file)
  }

  async make(step: Step): Promise<void> {
    this.#trace.push(stepWords(step))
    if (step.type === "one") await this.#act(step.act)
    else if (step.type === "two") {
      // One person has one pair of hands at each front end.
      const [first, second] = step.acts
      if (first.by === second.by && first.by !== "server") for (const act of step.acts) await this.#act(act)
      else await Promise.all(step.acts.map((act) => this.#act(act)))
    } else await this.#during(step.turn, step.acts)
  }

  async #during(by: FrontEnd, acts: readonly Act[]): Promise<void> {
    const text = `run sleep 60; echo ${++this.#named}`
    this.#claims.sent.set(text, "in")
    if (by === "server") {
      const turn = this.#server.ask(`/sessions/${this.#id}/converse`, { text, wait: true })
      await this.#running(text)
      // Its own moves stop it, and what is sent to it steers it.
      for (const act of acts) await this.#act(act)
      this.#note("server stop", await this.#server.ask(`/sessions/${this.#id}/stop`, {}))
      this.#note("server turn", await within(turn, () => "the turn goes on"))
    } else if (by === "plain") {
      this.#plain.begin(text)
      await this.#plain.sees("Tool: ")
      for (const act of acts) if (act.by !== "plain") await this.#act(act)
      this.#plain.interrupt()
      this.#note("plain turn", await this.#plain.rest())
    } else {
      const run = this.#world.start([...RUN, "--json", "-r", this.#id, text])
      await run.sees('"type":"tool-start"')
      for (const act of acts) await this.#act(act)
      run.child.kill("SIGINT")
      this.#note("shell turn", (await run.ended).out.trimEnd().split("\n").at(-1))
    }
  }

  /** The command of this prompt runs. */
  async #running(text: string): Promise<void> {
    const command = text.replace("run ", "")
    await until(() =>
      this.log().lines.some(({ content }) => JSON.stringify(content ?? []).includes(`"command":"${command}`)),
    )
  }

  async #act(act: Act): Promise<void> {
    const said = act.by === "mcp" ? await this.#asAgent(act) : await this[`_${act.by}`](act)
    this.#note(`  ${act.by} ${act.does}`, said)
  }

  #note(what: string, said: unknown): void {
    const text = typeof said === "string" ? said : JSON.stringify(said)
    this.#trace.push(`  ${what}: ${(text ?? "").trim().slice(0, 600)}`)
  }

  /** Something to go to: a prompt of the path, an entry of another branch, a label, the start. */
  #target({ pick }: Act): string {
    // While it is in the trash, there is nothing to choose from.
    if (!existsSync(this.#file)) return "head"
    const log = this.log()
    const entries = log.lines.filter(({ type }) => type === "message")
    const ways = [
      `@${1 + (pick % Math.max(1, log.prompts.length))}`,
      entries[pick % entries.length]?.id ?? "head",
      "head~1",
      [...this.#claims.labels.keys()][0] ?? "head",
    ]
    return ways[pick % ways.length] ?? "head"
  }

  #prompt(): string {
    const n = ++this.#named
    // Some files are written again and again, each time with other content.
    return `create ${n % 3 === 0 ? "a" : `f${n}`}.txt with ${n}`
  }

  #moved(by: keyof typeof VIA, answer: Answer): void {
    if (answer.outcome !== "moved") return
    this.#claims.moved[VIA[by]] = (this.#claims.moved[VIA[by]] ?? 0) + 1
    this.#claims.operations.push(answer)
  }

  async _shell(act: Act): Promise<unknown> {
    const world = this.#world
    const here = ["-s", this.#id]
    const files = ["--files", "restore", "--theirs"]
    switch (act.does) {
      case "prompt": {
        const text = this.#prompt()
        const { exit, out, err } = await world.shell(...RUN, "--json", "-r", this.#id, text)
        const end = out.trimEnd().split("\n").at(-1) ?? ""
        this.#claims.sent.set(text, exit === 0 ? "in" : out.includes('"type":"end"') ? "either" : "out")
        return `${exit} ${end.slice(0, 200)} ${err}`
      }
      case "label": {
        const name = `mark-${++this.#named}`
        const answer = await world.asks("label", "head", name, ...here)
        if (answer.error === undefined) this.#claims.labels.set(name, answer.entry)
        return answer
      }
      case "compact":
        return this.#compacted(await world.asks("compact", "--model", "practice", ...here))
      case "rm": {
        // To the trash and back again, under the hands of whoever has it open.
        const removed = await world.asks("rm", this.#id, "--yes")
        if (removed.error !== undefined) return removed
        const meanwhile = await this._server({ ...act, does: act.pick % 2 === 0 ? "prompt" : "back" })
        const back = await world.asks("rm", "--restore", this.#id)
        expect(back).toMatchObject({ removed: false })
        return [removed, meanwhile, back]
      }
      case "split": {
        const copy = await world.asks("split", ...here)
        expect(copy.session).toBeTypeOf("string")
        return [copy, await world.asks("rm", copy.session as string, "--yes")]
      }
      case "checkpoint":
        return undefined
      case "back":
      case "goto":
      case "undo":
      case "redo":
      case "restore": {
        const entry = act.does === "goto" || act.does === "restore" ? [this.#target(act)] : []
        const options = act.does === "restore" ? ["--theirs"] : files
        const answer = await world.asks(act.does, ...entry, ...options, ...here)
        this.#moved("shell", answer)
        return answer
      }
    }
  }

  async _server(act: Act): Promise<unknown> {
    const at = `/sessions/${this.#id}`
    const expects =
      act.expects === "none" ? {} : { expects: act.expects === "shown" ? this.#shown : await this.#serverHead() }
    const ask = async (what: string, body: object) => {
      const answer = await this.#server.ask(`${at}/${what}`, body)
      const head = headOf(answer)
      if (head !== undefined && (head === null || typeof head === "string")) this.#shown = head
      return answer
    }
    switch (act.does) {
      case "prompt": {
        const text = this.#prompt()
        this.#claims.sent.set(text, "either")
        const answer = await ask("converse", { text, wait: !this.#trace.at(-1)?.startsWith("while"), ...expects })
        if (answer.outcome === "done") this.#claims.sent.set(text, "in")
        if (answer.status >= 400) this.#claims.sent.set(text, "out")
        return answer
      }
      case "label": {
        const name = `mark-${++this.#named}`
        const answer = await ask("labels", { entry: "head", name })
        if (answer.status === 200) this.#claims.labels.set(name, answer.entry)
        return answer
      }
      case "compact":
        return this.#compacted(await ask("compact", {}))
      case "split":
      case "rm": {
        const copy = await this.#server.ask(`${at}/split`, {})
        expect(copy.session).toBeTypeOf("string")
        return [copy, await this.#world.asks("rm", copy.session as string, "--yes")]
      }
      case "checkpoint":
        return undefined
      case "back":
      case "goto":
      case "undo":
      case "redo":
      case "restore": {
        const entry = act.does === "goto" || act.does === "restore" ? { entry: this.#target(act) } : {}
        const answer = await ask(act.does, { files: "restore", onConflict: "theirs", ...entry, ...expects })
        this.#moved("server", answer)
        return answer
      }
    }
  }

  async _plain(act: Act): Promise<unknown> {
    const line = (text: string) => this.#plain.line(text)
    switch (act.does) {
      case "prompt": {
        const text = this.#prompt()
        const said = await line(text)
        const is = said.includes("Turn done.") ? "in" : said.includes("Agent:") ? "either" : "out"
        this.#claims.sent.set(text, is)
        return said
      }
      case "label": {
        const name = `mark-${++this.#named}`
        const said = await line(`/label ${name}`)
        if (said.includes("This point is called")) this.#claims.labels.set(name, undefined)
        return said
      }
      case "compact": {
        const said = await line("/compact")
        this.#compacted(said.includes("Compacted ") ? { entry: "" } : {})
        return said
      }
      case "split":
      case "rm":
      case "checkpoint":
        // It would leave for the copy.
        return undefined
      case "back":
      case "goto":
      case "undo":
      case "redo":
      case "restore": {
        const entry = act.does === "goto" || act.does === "restore" ? ` ${this.#target(act)}` : ""
        const options = act.does === "restore" ? " --theirs --yes" : " --files restore --theirs"
        const said = await line(`/${act.does}${entry}${options}`)
        const moved = /^(?:Moved\.|Files restored\.)/m.test(said)
        if (moved) this.#moved("plain", { outcome: "moved" })
        return said
      }
    }
  }

  async #asAgent(act: Act): Promise<unknown> {
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content, isError } = await this.#mcp.callTool({ name, arguments: given })
      return { text: (content as { text: string }[])[0]?.text ?? "", error: isError === true }
    }
    if (act.does === "checkpoint") {
      const name = `point-${++this.#named}`
      const said = await call("checkpoint", { name })
      if (!said.error) this.#claims.labels.set(name, undefined)
      return said
    }
    const said = await call("restore", { to: this.#target(act), apply: true })
    if (said.text.includes("The person can take this back")) this.#moved("mcp", { outcome: "moved" })
    return said
  }

  #compacted(answer: Answer): Answer {
    if (answer.error === undefined && answer.entry !== undefined)
      this.#claims.moved.compact = (this.#claims.moved.compact ?? 0) + 1
    return answer
  }

  async #serverHead(): Promise<string | null> {
    const { head } = await this.#server.ask(`/sessions/${this.#id}/tree?limit=1`)
    return head ?? null
  }

  /** Contract: nothing runs. */
  async check(): Promise<void> {
    const log = this.log()
    this.#trace.push(`    now at ${log.head} with ${JSON.stringify(log.files)}`)
    expect(log.wrong).toEqual([])
    this.#checkClaims(log)
    const files = this.#world.files()
    for (const name of log.unsure) delete files[name]
    const expected: Record<string, string> = { ...log.files }
    for (const name of log.unsure) delete expected[name]
    expect(files, "files").toEqual(expected)
    await this.#checkShown(log)
  }

  #checkClaims(log: NaiveLog): void {
    const { moved, operations, sent, labels } = this.#claims
    for (const { operation, kind, from, head } of operations) {
      if (operation === undefined) continue
      const found = log.operations.find(({ id }) => id === operation)
      expect(found, `operation ${operation}`).toMatchObject({ kind, head: { from, to: head } })
    }
    const made: Record<string, number> = {}
    for (const { kind, via = "none" } of log.operations) {
      if (kind === "retract") continue
      const by = kind === "compact" ? "compact" : via
      made[by] = (made[by] ?? 0) + 1
    }
    expect(made, "moves").toEqual(moved)
    for (const [text, is] of sent) {
      const times = log.texts.filter((each) => each === text).length
      if (is === "in") expect(times, `prompt ${text}`).toBe(1)
      else if (is === "out") expect(times, `prompt ${text}`).toBe(0)
      else expect(times, `prompt ${text}`).toBeLessThanOrEqual(1)
    }
    for (const [name, entry] of labels) {
      const last = log.lines.findLast((line) => line.type === "label" && line.name === name)
      expect(last, `label ${name}`).toBeDefined()
      if (entry !== undefined) expect(last?.entry, `label ${name}`).toBe(entry)
    }
  }

  /** All front ends show the head of the log: those that stay open follow it. */
  async #checkShown(log: NaiveLog): Promise<void> {
    const shown = new Map<string, unknown>()
    expect(await this.#serverHead(), "the server's head").toBe(log.head)
    const inServer = (await this.#server.ask(`/sessions/${this.#id}/prompts`)) as unknown as {
      prompts: { text: string; passed?: boolean }[]
    }
    shown.set(
      "server",
      inServer.prompts.filter(({ passed }) => passed !== true).map(({ text }) => text),
    )
    const inShell = (await this.#world.asks("prompts", "-s", this.#id)) as unknown as {
      text: string
      passed?: boolean
    }[]
    shown.set(
      "shell",
      inShell.filter(({ passed }) => passed !== true).map(({ text }) => text),
    )
    const inPlain = await this.#plain.line("/prompts")
    shown.set(
      "plain",
      [...inPlain.matchAll(/^\d+: (.*)$/gm)].map(([, text]) => text),
    )
    for (const front of FRONT_ENDS) expect(shown.get(front), `prompts in ${front}`).toEqual(log.prompts)
  }

  /** Undo, by one front end after the other, until nothing is left: only through states that were. */
  async undoAll(): Promise<void> {
    const were = new Set(this.log().states.map((state) => JSON.stringify([state.head, sorted(state.files)])))
    for (let n = 0; ; n++) {
      const by = FRONT_ENDS[n % FRONT_ENDS.length] as FrontEnd
      this.#trace.push(`at the end, ${by} undo`)
      const before = this.log().operations.length
      await this.#act({ by, does: "undo", pick: 0, expects: "none" })
      const log = this.log()
      if (log.operations.length === before) break
      expect(log.wrong).toEqual([])
      if (log.unsure.size === 0) {
        expect(this.#world.files(), "files").toEqual(log.files)
        expect(were, `the state after undo ${n + 1}`).toContain(JSON.stringify([log.head, sorted(log.files)]))
      }
    }
    const left = this.log()
    expect([left.head, left.unsure.size === 0 ? this.#world.files() : {}]).toEqual([left.states[0]?.head, {}])
    await this.check()
  }

  async close(): Promise<void> {
    expect(await this.#world.shell("doctor")).toMatchObject({ exit: 0 })
    await this.#mcp.close()
    expect(await this.#plain.stop()).toMatchObject({ exit: 0 })
    expect(await this.#server.stop()).toMatchObject({ exit: 0 })
    expect(this.#world.leftovers()).toEqual([])
    expect(this.#world.errors.filter((text) => /^\s+at .*:\d+:\d+\)?$/m.test(text))).toEqual([])
  }
}

function sorted(files: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
}
