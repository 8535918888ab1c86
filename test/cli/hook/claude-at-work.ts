// Claude Code at work in a project, with our hook: writes its lines when the real program does, and runs the built hook as a process
// with the JSON that the real program gives it (2.1.197).
import { execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { expect } from "vitest"
import type { Json, JsonObject } from "../../../src/model/json.ts"
import { FilesBench } from "../files-bench.ts"

const HOOK = resolve("dist/hook.cjs")

export interface Call {
  name: string
  input: JsonObject
  does: () => void
  /** It fails: its end is not told to hooks. */
  fails?: boolean
  /** What the program says of it; "ok" by default. */
  result?: string
  /** What it writes into its file, for itself, once the call is done. */
  told?: () => Json
}

interface HookRan {
  exit: number | null
  out: string
  err: string
}

export class ClaudeAtWork extends FilesBench {
  readonly name = randomUUID()
  readonly transcript = join(this.folder, "person/.claude/projects/-project", `${this.name}.jsonl`)
  #parent: string | null = null
  #prompt = ""
  #promptRow = ""
  /** Whether our hooks are installed. */
  hooked = true

  constructor() {
    super()
    mkdirSync(dirname(this.transcript), { recursive: true })
    execFileSync("git", ["init", "-q", this.cwd])
  }

  /** A round: all its calls are in one answer each, or with `together` in one. */
  async round(prompt: string, calls: Call[] = [], together = false): Promise<void> {
    await this.#ask(prompt)
    if (together) await this.#callAll(calls)
    else for (const call of calls) await this.#callAll([call])
    await this.hook("Stop", { stop_hook_active: false })
    this.#answer({ type: "text", text: "done" })
  }

  /**
   * A round that is killed with its program while a call runs: nothing more is told or written, unless the call ends after all.
   * `esc`: the person interrupts it, and its result is written.
   */
  async killedRound(prompt: string, call: Call, esc = false): Promise<() => Promise<void>> {
    await this.#ask(prompt)
    const named = { ...call, id: `toolu_${randomUUID()}` }
    await this.hook("PreToolUse", about(named))
    this.#answer({ type: "tool_use", id: named.id, name: call.name, input: call.input })
    call.does()
    if (esc) this.#result(named)
    return () => this.hook("PostToolUse", about(named))
  }

  async #ask(prompt: string): Promise<void> {
    this.#prompt = randomUUID()
    await this.hook("UserPromptSubmit", { prompt })
    const message = { role: "user", content: prompt }
    this.#promptRow = this.#row({ promptId: this.#prompt, type: "user", message })
  }

  /** More calls of the same round. */
  async goOn(calls: Call[]): Promise<void> {
    for (const call of calls) await this.#callAll([call])
  }

  async #callAll(calls: Call[]): Promise<void> {
    const answer = `msg_${randomUUID()}`
    const named = calls.map((call) => ({ ...call, id: `toolu_${randomUUID()}` }))
    await Promise.all(named.map((call) => this.hook("PreToolUse", about(call))))
    for (const { id, name, input } of named) this.#answer({ type: "tool_use", id, name, input }, answer)
    for (const { does } of named) does()
    await Promise.all(named.filter(({ fails }) => fails !== true).map((call) => this.hook("PostToolUse", about(call))))
    for (const call of named) this.#result(call)
  }

  #result({ id, result = "ok", told }: Call & { id: string }): void {
    const content = [{ tool_use_id: id, type: "tool_result", content: result }]
    const message = { role: "user", content }
    this.#row({ promptId: this.#prompt, type: "user", message, ...(told && { toolUseResult: told() }) })
  }

  /** Its own copies of what files held before the last round; null: there was no such file. */
  keepCopies(files: Record<string, string | null>): void {
    const folder = join(this.folder, "person/.claude/file-history", this.name)
    mkdirSync(folder, { recursive: true })
    const backups = Object.entries(files).map(([path, text], i) => {
      const name = `${this.#prompt}-${i}@v1`
      if (text !== null) writeFileSync(join(folder, name), text)
      return [path, { backupFileName: text === null ? null : name, version: 1 }]
    })
    const messageId = this.#promptRow
    const snapshot = { messageId, trackedFileBackups: Object.fromEntries(backups) }
    appendFileSync(this.transcript, `${JSON.stringify({ type: "file-history-snapshot", messageId, snapshot })}\n`)
  }

  /** Contract: whatever happens, it is silent and ends with 0. The second word only tells its process from others. */
  async hook(event: string, more: JsonObject = {}): Promise<void> {
    if (!this.hooked) return
    const input = {
      session_id: this.name,
      transcript_path: this.transcript,
      cwd: this.cwd,
      prompt_id: this.#prompt,
      permission_mode: "bypassPermissions",
      hook_event_name: event,
      ...more,
    }
    expect(await this.runHook(["claude-code", this.home], JSON.stringify(input))).toEqual({ exit: 0, out: "", err: "" })
  }

  async runHook(words: string[], input: string, env: Record<string, string> = {}): Promise<HookRan> {
    const known = { PATH: process.env.PATH ?? "", HOME: join(this.folder, "person"), RETCON_HOME: this.home }
    const child = spawn(process.execPath, [HOOK, ...words], { env: { ...known, ...env } })
    child.stdin.on("error", () => undefined)
    child.stdin.end(input)
    const ended = new Promise<number | null>((done) => child.on("close", done))
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { exit: await ended, out, err }
  }

  /** What hooks could not do. */
  problems(): string {
    const file = join(this.home, "hooks.log")
    return existsSync(file) ? readFileSync(file, "utf8") : ""
  }

  #answer(block: JsonObject, id = `msg_${randomUUID()}`): void {
    const message = { model: "claude-opus-4-8", id, type: "message", role: "assistant", content: [block] }
    this.#row({ message: { ...message, stop_reason: null, usage: {} }, requestId: "req_1", type: "assistant" })
  }

  #row(body: JsonObject): string {
    const uuid = randomUUID()
    const about = { uuid, timestamp: new Date().toISOString(), userType: "external", cwd: this.cwd }
    const line = {
      parentUuid: this.#parent,
      isSidechain: false,
      ...body,
      ...about,
      sessionId: this.name,
      version: "2.1.197",
    }
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`)
    this.#parent = uuid
    return uuid
  }
}

function about({ id, name, input }: Call & { id: string }): JsonObject {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}
