// Our hook in Gemini CLI, which gives its hooks no ids: what it tells them, and when, is found again in the session's file.
import { execFileSync, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { expect, test } from "vitest"
import type { JsonObject } from "../../../src/model/json.ts"
import { FilesBench } from "../files-bench.ts"

const HOOK = resolve("dist/hook.cjs")

interface Call {
  name: string
  args: JsonObject
  does: () => void
  /** What happens while it runs, as in a sub-agent. */
  within?: () => void
}

/** Writes its lines when 0.61.0 does, and runs the built hook with the JSON that it gives: a call is written when it is over. */
class GeminiAtWork extends FilesBench {
  readonly name = randomUUID()
  readonly transcript = join(this.folder, "person/.gemini/tmp/project/chats/session-2026-11-17T10-00-aaaaaaaa.jsonl")

  /** Whether our hooks are installed. */
  hooked = true

  constructor() {
    super()
    mkdirSync(dirname(this.transcript), { recursive: true })
    writeFileSync(join(dirname(this.transcript), "../.project_root"), this.cwd)
    execFileSync("git", ["init", "-q", this.cwd])
    this.#line({ sessionId: this.name, projectHash: "x", startTime: now(), lastUpdated: now(), kind: "main" })
  }

  round(prompt: string, calls: Call[] = []): void {
    this.hook("BeforeAgent", { prompt })
    this.#line({ id: randomUUID(), timestamp: now(), type: "user", content: [{ text: prompt }] })
    for (const call of calls) this.#call(call)
    this.hook("AfterAgent", { prompt, prompt_response: "done", stop_hook_active: false })
    this.#line({ id: randomUUID(), timestamp: now(), type: "gemini", content: "done", thoughts: [] })
  }

  #call({ name, args, does, within }: Call): void {
    const answer = { id: randomUUID(), timestamp: now(), type: "gemini", content: "", thoughts: [] }
    this.#line(answer)
    this.hook("BeforeTool", { tool_name: name, tool_input: args })
    does()
    within?.()
    this.hook("AfterTool", { tool_name: name, tool_input: args, tool_response: {} })
    const id = `${name}__${randomUUID()}`
    const result = [{ functionResponse: { id, name, response: { output: "ok" } } }]
    this.#line({ ...answer, toolCalls: [{ id, name, args, result, status: "success", timestamp: now() }] })
    this.#line({ id: randomUUID(), timestamp: now(), type: "user", content: result })
  }

  hook(event: string, more: JsonObject): void {
    if (!this.hooked) return
    const about = { session_id: this.name, transcript_path: this.transcript, cwd: this.cwd, timestamp: now() }
    const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK, "gemini-cli"], {
      input: JSON.stringify({ ...about, hook_event_name: event, ...more }),
      env: { PATH: process.env.PATH, HOME: join(this.folder, "person"), RETCON_HOME: this.home },
      encoding: "utf8",
    })
    expect([status, stdout, stderr]).toEqual([0, "", ""])
  }

  problems(): string {
    const file = join(this.home, "hooks.log")
    return existsSync(file) ? readFileSync(file, "utf8") : ""
  }

  write(path: string, text: string): Call {
    const args = { file_path: join(this.cwd, path), content: text }
    return { name: "write_file", args, does: () => this.put(path, text) }
  }

  shell(command: string, does: () => void): Call {
    return { name: "run_shell_command", args: { command }, does }
  }

  #line(line: JsonObject): void {
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`)
  }
}

/** Two calls in a row have other times. */
let last = 0
function now(): string {
  last = Math.max(Date.now(), last + 1)
  return new Date(last).toISOString()
}

test("restore brings back the files of each prompt, also of prompts and commands that are the same", async () => {
  const gemini = new GeminiAtWork()
  gemini.put("person.txt", "mine\n")
  gemini.round("go on", [gemini.write("a.txt", "one\n"), gemini.shell("make", () => gemini.put("made.txt", "1\n"))])
  gemini.put("person.txt", "edited\n")
  gemini.round("go on", [gemini.shell("make", () => gemini.put("made.txt", "2\n"))])
  gemini.round("go on", [gemini.shell("make", () => gemini.remove("a.txt"))])
  expect(gemini.problems()).toBe("")
  expect(await gemini.done(`prompts -s ${gemini.name}`)).toMatch(
    /@1 .*go on +\+2 files\n@2 .*go on +\+1 file\n@3 .*go on +\+1 file/,
  )
  const files = () => ["a.txt", "made.txt", "person.txt"].map((path) => gemini.get(path))
  await gemini.done(`restore @3 -s ${gemini.name}`)
  expect(files()).toEqual(["one\n", "2\n", "edited\n"])
  await gemini.done(`restore @2 -s ${gemini.name}`)
  expect(files()).toEqual(["one\n", "1\n", "edited\n"])
  await gemini.done(`restore @1 -s ${gemini.name}`)
  expect(files()).toEqual([undefined, undefined, "edited\n"])
})

test("what a sub-agent does belongs to the round, and what follows it to its own call", async () => {
  const gemini = new GeminiAtWork()
  const task: Call = { name: "invoke_agent", args: { agent_name: "generalist", prompt: "sub" }, does: () => undefined }
  const within = () => {
    const { args, does } = gemini.write("sub.txt", "sub\n")
    gemini.hook("BeforeTool", { tool_name: "write_file", tool_input: args })
    does()
    gemini.hook("AfterTool", { tool_name: "write_file", tool_input: args, tool_response: {} })
  }
  gemini.round("task", [{ ...task, within }, gemini.write("main.txt", "main\n")])
  gemini.round("next", [gemini.write("next.txt", "next\n")])
  expect(await gemini.done(`prompts -s ${gemini.name}`)).toMatch(/task +\+2 files\n.*next +\+1 file/)
  expect(await gemini.done(`blame main.txt -s ${gemini.name}`)).toContain("task")
})

test("hooks that come in the middle of a session are about what follows", async () => {
  const gemini = new GeminiAtWork()
  gemini.hooked = false
  gemini.round("again", [gemini.write("early.txt", "0\n")])
  gemini.hooked = true
  gemini.round("again", [gemini.write("late.txt", "1\n")])
  const prompts = await gemini.done(`prompts -s ${gemini.name}`)
  expect(prompts).toMatch(/@1 .*again\n@2 .*again +\+1 file/)
})
