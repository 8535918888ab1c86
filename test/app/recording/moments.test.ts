// What our hook records at each moment of another agent's work: snapshots, by prompt and by call.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { recordEvent } from "../../../src/app/recording/record-event.ts"
import { hooksOf } from "../../../src/hooks/all-hooks.ts"
import type { AgentHooks } from "../../../src/hooks/port.ts"
import { makeIds } from "../../../src/model/id.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { openGitWorkspace } from "../../../src/workspace/git/git-workspace.ts"
import { temporaryFolder } from "../../formats/read-session.ts"

const CLAUDE = hooksOf("claude-code") as AgentHooks
let root: string
let cwd: string
let transcript: string
let clock: number

beforeEach(() => {
  root = temporaryFolder()
  cwd = join(root, "project")
  transcript = join(root, "claude/session.jsonl")
  clock = Date.parse("2026-11-17T12:00:00Z")
  mkdirSync(cwd)
  mkdirSync(dirname(transcript))
})

const now = () => (clock += 1000)

async function tell(name: string, more: JsonObject = {}, hooks = CLAUDE): Promise<void> {
  const input = { hook_event_name: name, session_id: "s1", transcript_path: transcript, cwd, prompt_id: "p1", ...more }
  const event = hooks.read(input)
  if (event === undefined) throw new Error(`${name} means nothing`)
  let stores = 0
  const home = join(root, "home")
  await recordEvent(hooks, event, {
    home,
    now,
    ids: makeIds({ now, random: (bytes) => void crypto.getRandomValues(bytes) }),
    openWorkspace: ({ root: folder, store, session }) =>
      openGitWorkspace({
        root: folder,
        settings: {},
        home,
        session,
        store,
        clock: now,
        newId: () => `id${clock}${stores++}`,
      }),
  })
}

const bash = (call: string, more: JsonObject = {}) => ({
  tool_name: "Bash",
  tool_use_id: call,
  tool_input: {},
  ...more,
})
const write = (call: string, file: string) => ({
  tool_name: "Write",
  tool_use_id: call,
  tool_input: { file_path: file },
})
const put = (name: string, text: string) => writeFileSync(join(cwd, name), text)

/** The header, and what was recorded: "after p1 c1: a.txt added" */
function recorded(agent = "claude-code"): { header: JsonObject; records: string[] } {
  const folder = join(root, "home/foreign", agent)
  const file = readdirSync(folder).find((name) => name.endsWith(".jsonl")) ?? ""
  const [header, ...lines] = readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const records = lines.map(({ when, hook, changes, paths }) => {
    const changed = (changes ?? []).map((each: { path: string; change: string }) => ` ${each.path} ${each.change}`)
    const only = paths === undefined ? "" : ` [${paths.join()}]`
    return (
      [when, hook.prompt, hook.call, hook.agent].filter((each) => each !== undefined).join(" ") + only + changed.join()
    )
  })
  return { header, records }
}

test("a round and its calls: what each call changed is what differs from before it", async () => {
  put("old.txt", "old\n")
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  put("made.txt", "made\n")
  rmSync(join(cwd, "old.txt"))
  await tell("PostToolUse", bash("c1"))
  await tell("PreToolUse", write("c2", join(cwd, "made.txt")))
  put("made.txt", "again\n")
  put("person.txt", "not of this call\n")
  await tell("PostToolUse", write("c2", join(cwd, "made.txt")))
  await tell("Stop")
  expect(recorded().records).toEqual([
    "before p1",
    "before p1 c1",
    "after p1 c1 made.txt added, old.txt deleted",
    "before p1 c2 [made.txt]",
    "after p1 c2 [made.txt] made.txt modified",
    "after p1",
  ])
})

test("a prompt that is reported again, because a background command has ended, begins no round", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  put("a.txt", "a\n")
  await tell("PostToolUse", bash("c1"))
  await tell("Stop")
  await tell("UserPromptSubmit")
  await tell("Stop")
  await tell("UserPromptSubmit", { prompt_id: "p2" })
  expect(recorded().records).toEqual([
    "before p1",
    "before p1 c1",
    "after p1 c1 a.txt added",
    "after p1",
    "after p1",
    "before p2",
  ])
})

test("a call whose end is not reported has ended when its result is in the file, or with its round", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  put("a.txt", "a\n")
  await tell("PreToolUse", bash("c2"))
  expect(recorded().records.at(-1)).toBe("before p1 c2")
  appendFileSync(transcript, `${JSON.stringify({ content: [{ tool_use_id: "c1" }] })}\n`)
  await tell("PreToolUse", bash("c3"))
  expect(recorded().records.slice(3)).toEqual(["after p1 c1 a.txt added", "before p1 c3"])
  put("b.txt", "b\n")
  await tell("Stop")
  expect(recorded().records.slice(5)).toEqual(["after p1 c3 b.txt added", "after p1 c2 b.txt added", "after p1"])
})

test("a result far from the end of the file is too old to count", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  const mark = JSON.stringify({ tool_use_id: "c1" })
  writeFileSync(transcript, `${mark}${" ".repeat(256 * 1024 + 2 - mark.length)}`)
  await tell("PreToolUse", bash("c2"))
  expect(recorded().records).toEqual(["before p1", "before p1 c1", "before p1 c2"])
  writeFileSync(transcript, `${mark}${" ".repeat(256 * 1024 + 1 - mark.length)}`)
  await tell("PreToolUse", bash("c3"))
  expect(recorded().records.slice(3)).toEqual(["after p1 c1", "before p1 c3"])
})

test("calls of a sub-agent end with it, and it records no separate round", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  await tell("PreToolUse", bash("c2", { agent_id: "a1" }))
  appendFileSync(transcript, `${JSON.stringify({ tool_use_id: "c2" })}\n`)
  await tell("PreToolUse", bash("c3"))
  await tell("SubagentStop", { agent_id: "a1" })
  expect(recorded().records).toEqual(["before p1", "before p1 c1", "before p1 c2 a1", "before p1 c3", "after p1 c2 a1"])
})

test("a sub-agent's call that outlives several rounds ends when it is reported, or once its own file has the result", async () => {
  const sub = { agent_id: "a1", prompt_id: "its own" }
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1", sub))
  await tell("Stop")
  for (const prompt_id of ["p2", "p3", "p4"]) await tell("UserPromptSubmit", { prompt_id })
  put("sub.txt", "sub\n")
  await tell("PostToolUse", bash("c1", sub))
  expect(recorded().records.at(-1)).toBe("after its own c1 a1 sub.txt added")
  await tell("PreToolUse", bash("c2", sub))
  const own = join(root, "its-own.jsonl")
  writeFileSync(own, `${JSON.stringify({ tool_use_id: "c2" })}\n`)
  await tell("PreToolUse", { ...bash("c3", sub), transcript_path: own })
  expect(recorded().records.slice(-2)).toEqual(["after its own c2 a1", "before its own c3 a1"])
})

test("a sub-agent of Codex that ended without a report: its changes are those until its own file says so", async () => {
  const codex = hooksOf("codex") as AgentHooks
  const [main, sub] = ["01a1eef4-2bd0-7e41-a3b1-8a350f31922f", "01a1eef4-2cd8-7c72-8545-6f4b5a51c8af"]
  const day = join(root, "codex/sessions/2026/11/18")
  mkdirSync(day, { recursive: true })
  const file = (id: string) => join(day, `rollout-2026-11-18T13-59-02-${id}.jsonl`)
  const about = { transcript_path: file(main), turn_id: "p1" }
  const ofSub = { agent_id: sub, transcript_path: file(sub), turn_id: "sub turn" }
  writeFileSync(file(main), "")
  writeFileSync(file(sub), "")
  await tell("UserPromptSubmit", about, codex)
  await tell("PreToolUse", bash("c1", ofSub), codex)
  put("sub.txt", "sub\n")
  await tell("Stop", about, codex)
  expect(recorded("codex").records.at(-1)).toBe("after p1")
  const { ctimeMs } = statSync(join(cwd, "sub.txt"))
  // The file's clock and the program's may differ by 200 ms.
  const timestamp = new Date(Math.floor(ctimeMs) - 190).toISOString()
  const payload = { type: "turn_aborted", turn_id: "sub turn" }
  writeFileSync(file(sub), `${JSON.stringify({ timestamp, type: "event_msg", payload })}\n`)
  while (Date.now() < ctimeMs + 30) await new Promise((settle) => setTimeout(settle, 5))
  put("mine.txt", "mine\n")
  await tell("UserPromptSubmit", { ...about, turn_id: "p2" }, codex)
  expect(recorded("codex").records.slice(3)).toEqual([`after sub turn c1 ${sub} [sub.txt] sub.txt added`, "before p2"])
})

test("a call that was interrupted, of which no end is reported, changed what its result in the file is not older than", async () => {
  await tell("UserPromptSubmit")
  put("own.txt", "own\n")
  await tell("PreToolUse", bash("c1"))
  put("agents.txt", "agent\n")
  const { ctimeMs } = statSync(join(cwd, "agents.txt"))
  // The file's clock and the program's may differ by 200 ms.
  const timestamp = new Date(Math.floor(ctimeMs) - 190).toISOString()
  appendFileSync(transcript, `${JSON.stringify({ timestamp, content: [{ tool_use_id: "c1" }] })}\n`)
  while (Date.now() < ctimeMs + 30) await new Promise((settle) => setTimeout(settle, 5))
  put("mine.txt", "mine\n")
  put("own.txt", "changed by me\n")
  await tell("UserPromptSubmit", { prompt_id: "p2" })
  expect(recorded().records.slice(2)).toEqual(["after p1 c1 [agents.txt] agents.txt added", "before p2"])
})

test("a call of which nothing was heard before the next prompt changed nothing for certain", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  put("mine.txt", "mine, or the call's\n")
  await tell("UserPromptSubmit", { prompt_id: "p2" })
  await tell("PreToolUse", bash("c2"))
  await tell("Stop", { prompt_id: "p2" })
  expect(recorded().records.slice(2)).toEqual([
    "after p1 c1 []",
    "before p2",
    "before p1 c2",
    "after p1 c2",
    "after p2",
  ])
})

test("a call that another program's prompt finds at work has changed what is there when it ends", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  put("first.txt", "first\n")
  await tell("UserPromptSubmit", { prompt_id: "p2" })
  put("late.txt", "late\n")
  await tell("Stop", { prompt_id: "p2" })
  await tell("PostToolUse", bash("c1"))
  await tell("PostToolUse", bash("c1"))
  expect(recorded().records.slice(2)).toEqual([
    "after p1 c1 []",
    "before p2",
    "after p2",
    "after p1 c1 first.txt added, late.txt added",
  ])
})

test("what began in rounds long over stays as it was, and an end without a beginning records nothing", async () => {
  await tell("UserPromptSubmit")
  await tell("PreToolUse", bash("c1"))
  await tell("UserPromptSubmit", { prompt_id: "p2" })
  expect(recorded().records).toEqual(["before p1", "before p1 c1", "after p1 c1 []", "before p2"])
  await tell("PostToolUse", bash("c1"))
  await tell("PostToolUse", bash("c9"))
  expect(recorded().records).toHaveLength(4)
  await tell("PreToolUse", { ...bash("c2"), tool_use_id: null })
  await tell("Stop", { prompt_id: null })
  expect(recorded().records).toHaveLength(4)
})

test("a call that names its files is recorded only for those in the folder; before anything else, all files are", async () => {
  put("a.txt", "a\n")
  await tell("PreToolUse", write("c1", "a.txt"))
  await tell("PreToolUse", write("c2", "a.txt"))
  await tell("PreToolUse", write("c3", join(root, "elsewhere.txt")))
  expect(recorded().records).toEqual(["before p1 c1", "before p1 c2 [a.txt]"])
})

test("the session's folder is where it was started, not where a command has gone since", async () => {
  const started = join(root, "started")
  mkdirSync(started)
  writeFileSync(transcript, `${JSON.stringify({ cwd: started })}\n`)
  await tell("UserPromptSubmit")
  expect(recorded().header).toMatchObject({ type: "session", cwd: started, made: { name: "claude-code", version: "" } })
})

test("a folder that the file does not name in full is not believed", async () => {
  writeFileSync(transcript, `${JSON.stringify({ cwd: "relative" })}\n`)
  await tell("UserPromptSubmit")
  expect(recorded().header).toMatchObject({ cwd })
})
