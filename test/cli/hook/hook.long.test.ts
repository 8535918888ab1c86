// Our hook in Claude Code: what it records makes its sessions as good as ours, and it never troubles the agent.
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { SLACK_MS } from "../../../src/session/files/known/perhaps-persons.ts"
import { type Call, ClaudeAtWork } from "./claude-at-work.ts"

function bash(claude: ClaudeAtWork, files: Record<string, string | undefined>): Call {
  const does = () => {
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) claude.remove(path)
      else claude.put(path, text)
    }
  }
  return { name: "Bash", input: { command: "make" }, does }
}

function write(claude: ClaudeAtWork, path: string, text: string): Call {
  return {
    name: "Write",
    input: { file_path: join(claude.cwd, path), content: text },
    does: () => claude.put(path, text),
  }
}

const restored = (claude: ClaudeAtWork, to: string) => claude.done(`restore ${to} -s ${claude.name}`)

test("restore brings back exactly the files of that moment, and the person's own edits stay", async () => {
  const claude = new ClaudeAtWork()
  claude.put("old.txt", "old\n")
  claude.put("person.txt", "mine\n")
  await claude.round("write", [write(claude, "new.txt", "one\n")])
  await claude.round("run", [bash(claude, { "new.txt": "two\n", "made.txt": "made\n", "old.txt": undefined })])
  claude.put("person.txt", "mine, edited\n")
  await claude.round("again", [write(claude, "new.txt", "three\n")])
  await restored(claude, "@2")
  const files = ["old.txt", "new.txt", "made.txt", "person.txt"].map((path) => claude.get(path))
  expect(files).toEqual(["old\n", "one\n", undefined, "mine, edited\n"])
  await claude.done(`undo -s ${claude.name}`)
  expect(["old.txt", "new.txt", "made.txt"].map((path) => claude.get(path))).toEqual([undefined, "three\n", "made\n"])
  expect(claude.problems()).toBe("")
})

test("diff, blame and prompts show what each prompt changed", async () => {
  const claude = new ClaudeAtWork()
  await claude.round("first", [write(claude, "a.txt", "one\n")])
  await claude.round("second", [bash(claude, { "a.txt": "one\ntwo\n" })])
  expect(await claude.done(`blame a.txt -s ${claude.name}`)).toMatch(/first.* 1 {2}one\n.*second.* 2 {2}two\n/)
  expect(await claude.done(`diff -s ${claude.name}`)).toContain("+two")
  expect(await claude.done(`prompts -s ${claude.name}`)).toMatch(/first.*\+1 file\n.*second.*\+1 file/)
})

test("calls at the same time are each recorded, and what they did is taken back once", async () => {
  const claude = new ClaudeAtWork()
  claude.put("shared.txt", "0\n")
  const calls = [
    bash(claude, { "one.txt": "1\n" }),
    bash(claude, { "two.txt": "2\n", "shared.txt": "2\n" }),
    write(claude, "three.txt", "3\n"),
  ]
  await claude.round("all at once", calls, true)
  await restored(claude, "@1")
  expect(["one.txt", "two.txt", "three.txt", "shared.txt"].map((path) => claude.get(path))).toEqual([
    undefined,
    undefined,
    undefined,
    "0\n",
  ])
  expect(claude.problems()).toBe("")
})

test("a call whose end is not reported has ended when its result is there: edits after it are the person's", async () => {
  const claude = new ClaudeAtWork()
  claude.put("person.txt", "mine\n")
  const failing = { ...bash(claude, { "failed.txt": "x\n" }), fails: true }
  await claude.round("fail", [failing, bash(claude, { "b.txt": "b\n" })])
  claude.put("person.txt", "edited\n")
  await claude.round("next", [bash(claude, { "c.txt": "c\n" })])
  await restored(claude, "@1")
  expect(["failed.txt", "b.txt", "c.txt", "person.txt"].map((path) => claude.get(path))).toEqual([
    undefined,
    undefined,
    undefined,
    "edited\n",
  ])
})

test("what changed between a call that was cut off and the next prompt stays, and is named", async () => {
  const claude = new ClaudeAtWork()
  await claude.round("first", [bash(claude, { "a.txt": "a\n" })])
  await claude.killedRound("killed", bash(claude, { "half.txt": "half\n" }))
  claude.put("mine.txt", "mine\n")
  await claude.round("next", [bash(claude, { "c.txt": "c\n" })])
  claude.put("later.txt", "certainly mine\n")
  const said = await restored(claude, "@2")
  for (const path of ["half.txt", "mine.txt"])
    expect(said).toContain(`Kept as it is: ${path} (changed by you, or by a call that was cut off)\n`)
  expect(said).not.toContain("later.txt")
  const files = ["a.txt", "half.txt", "mine.txt", "c.txt", "later.txt"].map((path) => claude.get(path))
  expect(files).toEqual(["a\n", "half\n", "mine\n", undefined, "certainly mine\n"])
})

test("what a call had changed when it was interrupted comes back; what changed afterwards stays", async () => {
  const claude = new ClaudeAtWork()
  await claude.killedRound("go", bash(claude, { "half.txt": "half\n" }), true)
  const { ctimeMs } = statSync(join(claude.cwd, "half.txt"))
  // Until nobody can take it for a change of the call.
  while (Date.now() <= ctimeMs + 2 * SLACK_MS) await new Promise((settle) => setTimeout(settle, 5))
  claude.put("mine.txt", "mine\n")
  await claude.round("next", [])
  await restored(claude, "@1")
  expect(["half.txt", "mine.txt"].map((path) => claude.get(path))).toEqual([undefined, "mine\n"])
})

test("a call that a later prompt took for cut off, and that ends after all, comes back as a whole", async () => {
  const claude = new ClaudeAtWork()
  const ends = await claude.killedRound("slow", bash(claude, { "first.txt": "first\n" }))
  await claude.round("meanwhile", [])
  claude.put("late.txt", "late\n")
  await ends()
  await restored(claude, "@1")
  expect(["first.txt", "late.txt"].map((path) => claude.get(path))).toEqual([undefined, undefined])
})

test("what a sub-agent does belongs to the prompt that started it", async () => {
  const claude = new ClaudeAtWork()
  const sub = {
    agent_id: "a1",
    agent_type: "general-purpose",
    tool_name: "Bash",
    tool_use_id: "toolu_sub",
    tool_input: {},
  }
  await claude.round("before", [write(claude, "a.txt", "a\n")])
  await claude.hook("UserPromptSubmit", { prompt: "task" })
  await claude.hook("PreToolUse", sub)
  claude.put("sub.txt", "by the sub-agent\n")
  await claude.hook("PostToolUse", sub)
  await claude.round("after", [])
  expect(await claude.done(`prompts -s ${claude.name}`)).toMatch(/before.*\+2 files/)
})

test("a command that changed to another folder is recorded in that of the session", async () => {
  const claude = new ClaudeAtWork()
  await claude.round("first", [])
  claude.put("sub/x.txt", "x\n")
  const call = { tool_name: "Bash", tool_use_id: "toolu_away", tool_input: {}, cwd: join(claude.cwd, "sub") }
  await claude.hook("PreToolUse", call)
  claude.put("sub/x.txt", "changed\n")
  await claude.hook("PostToolUse", call)
  expect(readdirSync(join(claude.home, "workspaces"))).toHaveLength(1)
})

test("input that means nothing is silently ignored", async () => {
  const claude = new ClaudeAtWork()
  await claude.hook("Notification")
  await claude.hook("PostToolUse", { tool_name: "Bash", tool_use_id: "toolu_unknown" })
  expect(claude.problems()).toBe("")
})

test("doctor reports what goes wrong; the agent never sees it", async () => {
  const claude = new ClaudeAtWork()
  await claude.round("first", [])
  const silent = { exit: 0, out: "", err: "" }
  expect(await claude.runHook(["claude-code"], "{ not json")).toEqual(silent)
  expect(await claude.runHook(["nobody"], "{}")).toEqual(silent)
  expect(await claude.runHook([], "")).toEqual(silent)
  expect(claude.problems().trim().split("\n")).toHaveLength(3)
  const { exit, out } = await claude.run(["doctor"])
  expect([exit, out]).toEqual([1, expect.stringContaining("the hook in Claude Code failed 1 time")])
  const blocked = join(claude.folder, "blocked")
  writeFileSync(blocked, "a file, no folder")
  const input = JSON.stringify({ session_id: claude.name, cwd: claude.cwd, prompt_id: "p", hook_event_name: "Stop" })
  expect(await claude.runHook(["claude-code"], input, { RETCON_HOME: blocked })).toEqual(silent)
})

test("before a compaction the agent's file is copied, unless the person wants no copies", async () => {
  const claude = new ClaudeAtWork()
  await claude.round("first", [])
  const copy = join(claude.home, "kept/claude-code", claude.transcript)
  writeFileSync(join(claude.home, "config.json"), '{"keep.auto":"off"}')
  await claude.hook("PreCompact", { trigger: "manual" })
  expect(statSync(copy, { throwIfNoEntry: false })).toBeUndefined()
  writeFileSync(join(claude.home, "config.json"), "{}")
  await claude.hook("PreCompact", { trigger: "manual" })
  expect(statSync(copy).size).toBe(statSync(claude.transcript).size)
})
