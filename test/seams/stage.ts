// The session on which steps are made, by real processes; what each was answered; and whether that is true.
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/client"
import { expect } from "vitest"
import { until, within } from "../within.ts"
import { Claims } from "./claims.ts"
import { naiveClaude } from "./naive-claude.ts"
import { type Files, type NaiveLog, naiveLog, sureFiles } from "./naive-log.ts"
import { naivePi, piName } from "./naive-pi.ts"
import { openParts, type Parts } from "./opening.ts"
import {
  type Act,
  asksForFiles,
  FRONT_ENDS,
  type FrontEnd,
  hidesSession,
  isMove,
  isMoveKind,
  type Kind,
  moveFlags,
  namesRounds,
  PLAINLY,
  type Step,
  stepWords,
} from "./steps.ts"
import {
  AgentWorld,
  type Answer,
  headOf,
  onPath,
  type Plain,
  type Prompt,
  RUN,
  type Server,
  type World,
} from "./world.ts"

/** Whether somebody else does something at the same time. */
type How = "alone" | "beside others"

/** Only the person writes it. */
const MINE = "mine.txt"

export class Stage {
  readonly #kind: Kind
  readonly #world: World
  readonly #server: Server
  readonly #plain: Plain
  readonly #mcp: Client
  readonly #id: string
  readonly #file: string
  readonly #claims: Claims
  readonly #trace: string[] = []
  /** Files that a person changed too, or that were written while others moved files: what they hold is not in the log. */
  readonly #doubtful = new Set<string>()
  #mine: string | undefined
  /** The agent was allowed to take back what anybody changed. */
  #mineMoves = false
  /** The head that the server's client was shown last. */
  #shown: string | null = null
  #named = 0
  #checked = 0
  #step: Step["type"] = "one"

  private constructor(
    kind: Kind,
    { world, server, plain, mcp }: Omit<Parts, "id" | "file">,
    session: { id: string; file: string },
  ) {
    this.#kind = kind
    this.#claims = new Claims((id) => this.#name(id))
    this.#world = world
    this.#server = server
    this.#plain = plain
    this.#mcp = mcp
    this.#id = session.id
    this.#file = session.file
  }

  static async open(kind: Kind): Promise<Stage> {
    const { id, file, ...parts } = await openParts(kind)
    return new Stage(kind, parts, { id, file })
  }

  told(): string {
    return `What was done, in order:\n${this.#trace.join("\n")}\nStandard error:\n${this.#world.errors.join("\n")}`
  }

  log(): NaiveLog {
    if (this.#kind === "retcon") return naiveLog(this.#file)
    const ours = join(this.#world.home, "foreign", this.#kind, `${this.#id}.jsonl`)
    return this.#kind === "pi" ? naivePi(this.#file, ours) : naiveClaude(this.#file, ours)
  }

  /** What the log calls what an answer names. */
  #name<Id extends string | null | undefined>(id: Id): Id {
    return this.#kind === "pi" ? piName(id) : id
  }

  async make(step: Step): Promise<void> {
    this.#trace.push(stepWords(step))
    this.#step = step.type
    if (step.type === "one") await this.#alone(step.act)
    else if (step.type === "edit") this.#edit(step.pick)
    else if (step.type === "two") {
      // One person has one pair of hands at each front end.
      const [first, second] = step.acts
      const sameHands = first.by === second.by && first.by !== "server"
      // An agent's session is the newest one in the folder: a copy is that for as long as it is there.
      const besideCopy = [first, second].some(hidesSession) && [first, second].some(({ by }) => by === "mcp")
      if (sameHands || besideCopy) for (const act of step.acts) await this.#act(act)
      else await Promise.all(step.acts.map((act) => this.#act(act, "beside others")))
    } else await this.#during(step.turn, step.acts)
  }

  /** Nobody else does anything: a refused move leaves the files alone, and the reverse of a move gives back every byte. */
  async #alone(act: Act): Promise<void> {
    const [files, { head }, { moves }] = [this.#world.files(), this.log(), this.#claims]
    await this.#act(act)
    if (!isMove(act)) return
    if (this.#claims.moves === moves) return expect(this.#world.files(), "files after a refusal").toEqual(files)
    if (act.pick % 3 > 0) return
    const by = FRONT_ENDS[act.pick % FRONT_ENDS.length] as FrontEnd
    const does = act.does === "undo" ? "redo" : "undo"
    await this.#act({ by, does, pick: 0, ...PLAINLY })
    expect(this.#claims.moves, `${does} of ${act.does}`).toBe(moves + 2)
    expect(this.#world.files(), `files after ${does} of ${act.does}`).toEqual(files)
    expect(this.log().head, `head after ${does} of ${act.does}`).toBe(head)
  }

  #edit(pick: number): void {
    const names = Object.keys(this.#world.files()).filter((name) => name !== MINE)
    const name = pick % 2 === 0 ? MINE : (names[pick % names.length] ?? MINE)
    const text = `edited ${++this.#named}`
    writeFileSync(join(this.#world.cwd, name), text)
    if (name === MINE) this.#mine = text
    else this.#doubtful.add(name)
  }

  async #during(by: FrontEnd | "agent", acts: readonly Act[]): Promise<void> {
    if (this.#world instanceof AgentWorld) return this.#duringAgents(this.#world, by, acts)
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

  /** The program waits for us to go on; a turn of the server's is stopped if something else waits for its end. */
  async #duringAgents(world: AgentWorld, by: FrontEnd | "agent", acts: readonly Act[]): Promise<void> {
    const n = ++this.#named
    const text = `wait, then create w${n}.txt with ${n}`
    this.#claims.sent.set(text, "in")
    const turn: Promise<unknown> =
      by === "server"
        ? this.#server.ask(`/sessions/${this.#id}/converse`, { text, wait: true })
        : world.agent(text).ended
    await until(() => this.log().lines.findLast(({ type }) => type === "message")?.content?.[0]?.text === "I wait.")
    for (const act of acts) await this.#act(act, "beside others")
    if (by === "server" && acts.some(({ by: other }) => other === "server"))
      this.#note("server stop", await this.#server.ask(`/sessions/${this.#id}/stop`, {}))
    else writeFileSync(world.go, "")
    this.#note(`${by} turn`, await within(turn, () => "the turn goes on"))
    rmSync(world.go, { force: true })
    await until(() => !world.works())
  }

  /** The command of this prompt runs. */
  async #running(text: string): Promise<void> {
    const command = text.replace("run ", "")
    await until(() =>
      this.log().lines.some(({ content }) => JSON.stringify(content ?? []).includes(`"command":"${command}`)),
    )
  }

  async #act(act: Act, how: How = "alone"): Promise<void> {
    const said = await this.#made(act, how)
    this.#note(`  ${act.by} ${act.does}`, said)
  }

  #made(act: Act, how: How): Promise<unknown> {
    // A person at a terminal turns to the agent itself, or to retcon, which drives it.
    const goes = this.#kind !== "retcon" && act.does === "prompt" && act.by !== "server" && act.pick % 2 > 0
    if (act.by === "agent" || goes) return this.#inAgent(how)
    return act.by === "mcp" ? this.#asAgent(act) : this[`_${act.by}`](act, how)
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

  /** What a move is about, as a front end gets it. */
  #about(act: Act): string[] {
    if (namesRounds(act))
      return [`@${1 + (act.pick % Math.max(1, existsSync(this.#file) ? this.log().prompts.length : 1))}`]
    return act.does === "goto" || act.does === "restore" ? [this.#target(act)] : []
  }

  #prompt(how: How): string {
    const n = ++this.#named
    // Some files are written again and again, each time with other content.
    const name = `${n % 3 === 0 && (how === "alone" || this.#kind === "retcon") ? "a" : `f${n}`}.txt`
    if (how !== "alone" && this.#kind !== "retcon") this.#doubtful.add(name)
    return `create ${name} with ${n}`
  }

  /** In the other agent itself, where moves of the files meanwhile leave it open what a call did. */
  async #inAgent(how: How): Promise<unknown> {
    const text = this.#prompt(how)
    this.#claims.sent.set(text, "in")
    const ran = await (this.#world as AgentWorld).agent(text).ended
    expect(ran).toMatchObject({ exit: 0, err: "" })
    return "answered"
  }

  async _shell(act: Act, how: How): Promise<unknown> {
    const world = this.#world
    const here = ["-s", this.#id]
    const { does } = act
    if (isMoveKind(does)) {
      const entry = this.#about(act)
      const answer = await world.asks(act.does, ...entry, ...moveFlags(act), ...here)
      this.#claims.moved("shell", answer)
      return answer
    }
    switch (does) {
      case "prompt": {
        const text = this.#prompt(how)
        const { exit, out, err } = await world.shell(...RUN, "--json", "-r", this.#id, text)
        const end = out.trimEnd().split("\n").at(-1) ?? ""
        this.#claims.sent.set(text, exit === 0 ? "in" : out.includes('"type":"end"') ? "either" : "out")
        return `${exit} ${end.slice(0, 200)} ${err}`
      }
      case "command":
      case "checkpoint":
      case "label": {
        const name = `mark-${++this.#named}`
        const answer = await world.asks("label", "head", name, ...here)
        if (answer.error === undefined) this.#claims.labels.set(name, answer.entry)
        return answer
      }
      case "compact":
        return this.#claims.compacted(await world.asks("compact", "--model", "practice", ...here))
      case "rm": {
        // To the trash and back again, under the hands of whoever has it open.
        const removed = await world.asks("rm", this.#id, "--yes")
        if (this.#kind !== "retcon")
          expect(removed.error, "another agent's session is not ours to remove").toBeDefined()
        if (removed.error !== undefined) return removed
        const meanwhile = await this._server({ ...act, does: act.pick % 2 === 0 ? "prompt" : "back" }, how)
        const back = await world.asks("rm", "--restore", this.#id)
        expect(back).toMatchObject({ removed: false })
        return [removed, meanwhile, back]
      }
      case "split": {
        const copy = await world.asks("split", ...here)
        return this.#splitOff(copy)
      }
      case "archive": {
        const hidden = await world.asks("archive", this.#id)
        return [hidden, await world.asks("archive", "--undo", this.#id)]
      }
    }
  }

  async _server(act: Act, how: How): Promise<unknown> {
    const at = `/sessions/${this.#id}`
    const expects =
      act.expects === "none" ? {} : { expects: act.expects === "shown" ? this.#shown : await this.#serverHead() }
    const ask = async (what: string, body: object) => {
      const answer = await this.#server.ask(`${at}/${what}`, body)
      const head = headOf(answer)
      if (head !== undefined && (head === null || typeof head === "string")) this.#shown = head
      return answer
    }
    const { does } = act
    if (isMoveKind(does)) {
      const [name] = this.#about(act)
      const entry = name === undefined ? {} : namesRounds(act) ? { rounds: [name] } : { entry: name }
      const files = act.files === "default" || asksForFiles({ ...act, files: "default" }) ? {} : { files: act.files }
      const conflict = act.onConflict === "none" || !asksForFiles(act) ? {} : { onConflict: act.onConflict }
      const running = act.evenIfRunning ? { evenIfRunning: true } : {}
      const answer = await ask(act.does, { ...files, ...conflict, ...entry, ...expects, ...running })
      this.#claims.moved("server", answer)
      return answer
    }
    switch (does) {
      case "prompt": {
        const text = this.#prompt(how)
        this.#claims.sent.set(text, "either")
        const wait = this.#step !== "during"
        const answer = await ask("converse", { text, wait, ...expects })
        if (answer.outcome === "done") this.#claims.sent.set(text, "in")
        if (answer.status >= 400) this.#claims.sent.set(text, "out")
        return answer
      }
      case "command":
      case "checkpoint":
      case "label": {
        const name = `mark-${++this.#named}`
        const answer = await ask("labels", { entry: "head", name })
        if (answer.status === 200) this.#claims.labels.set(name, answer.entry)
        return answer
      }
      case "compact":
        return this.#claims.compacted(await ask("compact", {}))
      case "split":
      case "rm":
        return this.#splitOff(await this.#server.ask(`${at}/split`, {}))
      case "archive": {
        const hidden = await ask("archive", { archived: true })
        return [hidden, await ask("archive", { archived: false })]
      }
    }
  }

  async _plain(act: Act, how: How): Promise<unknown> {
    const line = (text: string) => this.#plain.line(text)
    const { does } = act
    if (isMoveKind(does)) {
      const said = await line(`/${[act.does, ...this.#about(act), ...moveFlags(act), "--yes"].join(" ")}`)
      if (/^(?:Moved\.|Files restored\.|File changes of .* (?:taken back|made again)\.)/m.test(said))
        this.#claims.moved("plain", { outcome: "moved" })
      return said
    }
    switch (does) {
      case "prompt": {
        const text = this.#prompt(how)
        const said = await line(text)
        const is = said.includes("Turn done.") ? "in" : said.includes("Agent:") ? "either" : "out"
        this.#claims.sent.set(text, is)
        return said
      }
      case "command": {
        // Long enough for others to begin something.
        const typed = `typed ${++this.#named}`
        const command = `sleep 0.2; echo ${typed}`
        const said = await line(`!${command}`)
        this.#claims.commands.set(command, said.includes(`Result: ${typed}`) ? "in" : "out")
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
        this.#claims.compacted(said.includes("Compacted ") ? { entry: "" } : {})
        return said
      }
      case "split":
      case "rm":
      case "archive":
      case "checkpoint":
        // It would leave for the copy, or for another session.
        return undefined
    }
  }

  async #asAgent(act: Act): Promise<unknown> {
    const call = async (name: string, given: object) => {
      const { content, isError } = await this.#mcp.callTool({ name, arguments: { ...given } })
      return { text: (content as { text: string }[])[0]?.text ?? "", error: isError === true }
    }
    if (act.does === "checkpoint") {
      const name = `point-${++this.#named}`
      const said = await call("checkpoint", { name })
      if (!said.error) this.#claims.labels.set(name, undefined)
      return said
    }
    const said = await call("restore", { to: this.#target(act), apply: true })
    if (said.text.includes("The person can take this back")) {
      this.#claims.moved("mcp", { outcome: "moved" })
      // No call of pi's is watched: then all changes are taken back, whoever made them, and it says so.
      if (this.#kind === "pi") this.#mineMoves = true
    }
    return said
  }

  /** A copy is a session of its own, in which everything is that was there. */
  async #splitOff(copy: Answer): Promise<unknown> {
    expect(copy).toMatchObject({ session: expect.any(String) })
    // A copy of Claude Code's session is its own.
    for (const { path } of copy.files ?? []) rmSync(path)
    return copy.files === undefined ? [copy, await this.#world.asks("rm", copy.session as string, "--yes")] : copy
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
    this.#claims.check(log)
    this.#checkFiles(log)
    await this.#checkShown(log)
  }

  #checkFiles(log: NaiveLog): void {
    const files = this.#world.files()
    if (!this.#mineMoves) expect(files[MINE], "the person's own file").toBe(this.#mine)
    expect(this.#sure(files, log), "files").toEqual(this.#sure(log.files, log))
  }

  #sure(files: Files, log: NaiveLog): Files {
    return sureFiles(files, log, new Set([MINE, ...this.#doubtful]))
  }

  /** All front ends show the head of the log: those that stay open follow it, and a new process reads it. */
  async #checkShown(log: NaiveLog): Promise<void> {
    expect(this.#name(await this.#serverHead()), "the server's head").toBe(log.head)
    const inServer = (await this.#server.ask(`/sessions/${this.#id}/prompts`)) as unknown as { prompts: Prompt[] }
    expect(onPath(inServer.prompts), "prompts in the server").toEqual(log.prompts)
    const inPlain = await this.#plain.line("/prompts")
    const plain = [...inPlain.matchAll(/^\d+: (.*)$/gm)].map(([, text]) => text)
    expect(plain, "prompts in the terminal").toEqual(log.prompts)
    if (++this.#checked % 3 > 0) return
    const inShell = (await this.#world.asks("prompts", "-s", this.#id)) as unknown as Prompt[]
    expect(onPath(inShell), "prompts in the shell").toEqual(log.prompts)
  }

  /** Undo, by one front end after the other, until nothing is left: only through states that were. */
  async undoAll(): Promise<void> {
    const state = (log: NaiveLog, { head, files } = log) => JSON.stringify([head, this.#sure(files, log)])
    const first = this.log()
    /** Somebody went back without the files: then those of the conversation were never there together with it. */
    const apart =
      this.#kind !== "pi" &&
      first.operations.some(({ files, kind }) => files === undefined && !/^(?:compact|retract)$/.test(kind ?? ""))
    const were = new Set(first.states.map((each) => JSON.stringify([each.head, this.#sure(each.files, first)])))
    for (let n = 0; ; n++) {
      const by = FRONT_ENDS[n % FRONT_ENDS.length] as FrontEnd
      this.#trace.push(`at the end, ${by} undo`)
      const before = this.log().operations.length
      const files =
        this.#kind === "pi" && !this.#mineMoves
          ? PLAINLY
          : { ...PLAINLY, files: "restore" as const, onConflict: "theirs" as const }
      await this.#act({ by, does: "undo", pick: 0, ...files })
      const log = this.log()
      if (log.operations.length === before) break
      expect(log.wrong).toEqual([])
      this.#checkFiles(log)
      if (!apart) expect(were, `the state after undo ${n + 1}`).toContain(state(log))
    }
    const left = this.log()
    expect(left.head).toBe(left.states[0]?.head)
    if (!apart) expect(this.#sure(this.#world.files(), left)).toEqual({})
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
