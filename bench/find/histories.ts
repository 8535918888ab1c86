// Histories of Claude Code, Codex and pi as a machine collects them, from texts that this project has installed, with needles in them:
// what a search must find first, and near-misses of it. The same for the same size and seed.
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, utimesSync, writeSync } from "node:fs"
import { join } from "node:path"
import { NEEDLES, type Needle, type Planted } from "./needles.ts"

export interface History {
  /** The file of the session that each needle is in. */
  truth: Map<string, string>
  /** What somebody typed, with the file of its session. */
  prompts: { text: string; file: string }[]
  bytes: number
  files: string[]
}

/** The present time, for those that ask. */
export const NOW = Date.parse("2026-11-18T00:00:00Z")
const DAY = 86_400_000
const MODULES = new URL("../../node_modules/", import.meta.url).pathname

export function writeHistories(person: string, { bytes, seed = 1 }: { bytes: number; seed?: number }): History {
  const { random, int, pick, hex, gauss } = chance(seed)
  const { prose, code, sentences } = texts()
  const cut = (pool: string, min: number, max: number) => {
    const length = Math.floor(Math.exp(Math.log(min) + random() * Math.log(max / min)))
    const at = int(0, pool.length - length - 1)
    return pool.slice(at, at + length)
  }
  const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  const prompt = () => Array.from({ length: int(1, 3) }, () => pick(sentences)).join(" ")
  const projects = Array.from({ length: 24 }, (_, n) => `/home/dev/${pick(FOLDERS)}-${n}`)
  const plans: { agent: "claude" | "codex" | "pi"; size: number; age: number; planted: Planted[] }[] = []
  for (let sum = 0; sum < bytes; ) {
    const size = Math.min(60e6, bytes / 8, Math.exp(Math.log(350e3) + 1.5 * gauss()))
    const which = random()
    plans.push({
      agent: which < 0.6 ? "claude" : which < 0.85 ? "codex" : "pi",
      size,
      age: random() ** 2 * 180,
      planted: [],
    })
    sum += size
  }
  const history: History = { truth: new Map(), prompts: [], bytes: 0, files: [] }
  const targets = new Map<number, Needle>()
  let slot = 0
  const next = (step: number) => Math.floor((((slot++ * step) % 60) + 0.5) * (plans.length / 60)) % plans.length
  for (const needle of NEEDLES) {
    let at = next(7)
    while (targets.has(at)) at = (at + 1) % plans.length
    targets.set(at, needle)
    plans[at]?.planted.push(needle.target)
    for (const near of needle.near) {
      const there = next(11)
      plans[there === at ? (there + 1) % plans.length : there]?.planted.push(near)
    }
  }
  for (const [number, plan] of plans.entries()) writeSession(number, plan)
  return history

  function round(planted: Planted | undefined, file: string) {
    const made = { prompt: prompt(), answer: cut(prose, 200, 2500), steps: [] as Step[] }
    for (let left = int(1, 8); left > 0; left--) {
      const kind = random()
      if (kind < 0.45)
        made.steps.push({
          thinking: random() < 0.3 ? cut(prose, 100, 900) : "",
          name: "Read",
          input: { file_path: pick(PATHS) },
          output: cut(code, 800, 12_000),
        })
      else if (kind < 0.7)
        made.steps.push({
          thinking: "",
          name: "Bash",
          input: { command: `rg -n ${pick(sentences).split(" ")[0]} ${pick(PATHS)}` },
          output: cut(code, 200, 5000),
        })
      else {
        const old = cut(code, 200, 1600)
        made.steps.push({
          thinking: "",
          name: "Edit",
          input: { file_path: pick(PATHS), old_string: old, new_string: old.replaceAll("return", "return await") },
          output: "The file has been updated.",
        })
      }
    }
    const [first] = made.steps
    if (planted?.where === "you") made.prompt = `${planted.text} ${made.prompt}`
    if (planted?.where === "agent")
      made.answer = `${made.answer.slice(0, 300)}\n\n${planted.text}\n\n${made.answer.slice(300)}`
    if (planted?.where === "result" && first !== undefined)
      first.output = `${first.output.slice(0, 400)}\n${planted.text}\n${first.output.slice(400)}`
    if (planted?.where === "call")
      made.steps.push({
        thinking: "",
        name: "Edit",
        input: { file_path: "src/a.ts", old_string: "x", new_string: planted.text },
        output: "ok",
      })
    history.prompts.push({ text: made.prompt, file })
    return made
  }

  function writeSession(number: number, { agent, size, age, planted }: (typeof plans)[number]): void {
    const began = NOW - age * DAY - 3_600_000
    const cwd = pick(projects)
    const id = agent === "claude" ? uuid() : `01a1${hex(4)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`
    const file = join(person, fileOf(agent, { id, cwd, began }))
    mkdirSync(join(file, ".."), { recursive: true })
    const lines = { claude, codex, pi }[agent]({ id, cwd, began, int, hex, uuid })
    // Some programs write everything but ASCII as escapes.
    const asAscii = random() < 0.05
    const fd = openSync(file, "w")
    const write = (all: string[]) => writeSync(fd, all.map((line) => `${asAscii ? ascii(line) : line}\n`).join(""))
    let written = write(lines.header())
    const waiting: (Planted | undefined)[] = planted.flatMap((each) => [undefined, each])
    for (; written < size || waiting.length > 0; ) written += write(lines.round(round(waiting.shift(), file)))
    closeSync(fd)
    const ended = new Date(began + 3_600_000)
    utimesSync(file, ended, ended)
    history.bytes += written
    history.files.push(file)
    const needle = targets.get(number)
    if (needle !== undefined) history.truth.set(needle.query, file)
  }
}

interface Step {
  thinking: string
  name: string
  input: object
  output: string
}

interface Round {
  prompt: string
  answer: string
  steps: Step[]
}

interface Making {
  id: string
  cwd: string
  began: number
  int: (from: number, to: number) => number
  hex: (length: number) => string
  uuid: () => string
}

interface Lines {
  header(): string[]
  round(round: Round): string[]
}

function fileOf(agent: string, { id, cwd, began }: Pick<Making, "id" | "cwd" | "began">): string {
  const at = new Date(began).toISOString()
  if (agent === "claude") return join(".claude/projects", cwd.replaceAll(/[/.]/g, "-"), `${id}.jsonl`)
  const day = at.slice(0, 10).replaceAll("-", "/")
  if (agent === "codex")
    return join(".codex/sessions", day, `rollout-${at.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`)
  return join(
    ".pi/agent/sessions",
    `--${cwd.slice(1).replaceAll("/", "-")}--`,
    `${at.replaceAll(/[:.]/g, "-")}_${id}.jsonl`,
  )
}

function claude({ id, cwd, began, int, hex, uuid }: Making): Lines {
  let [at, parent] = [began, null as string | null]
  const line = (fields: object) => {
    const own = uuid()
    at += int(200, 9000)
    const base = {
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId: id,
      version: "2.1.197",
      gitBranch: "main",
    }
    parent = own
    return JSON.stringify({ ...base, ...fields, uuid: own, timestamp: new Date(at).toISOString() })
  }
  return {
    header: () => [],
    round({ prompt, steps, answer }) {
      const made = [line({ type: "user", message: { role: "user", content: prompt } })]
      const say = (content: object) => {
        const usage = {
          input_tokens: int(3, 40),
          cache_read_input_tokens: int(9000, 90_000),
          output_tokens: int(30, 1500),
        }
        const message = {
          id: `msg_${hex(24)}`,
          type: "message",
          role: "assistant",
          model: "claude-opus-4-8",
          content: [content],
          usage,
        }
        made.push(line({ type: "assistant", requestId: `req_${hex(24)}`, message }))
      }
      for (const { thinking, name, input, output } of steps) {
        const call = `toolu_${hex(24)}`
        if (thinking !== "") say({ type: "thinking", thinking, signature: hex(300) })
        say({ type: "tool_use", id: call, name, input })
        const content = [{ tool_use_id: call, type: "tool_result", content: output }]
        made.push(
          line({ type: "user", message: { role: "user", content }, toolUseResult: { stdout: output, stderr: "" } }),
        )
      }
      say({ type: "text", text: answer })
      return made
    },
  }
}

function codex({ id, cwd, began, int, hex }: Making): Lines {
  let at = began
  const line = (type: string, payload: object) => {
    at += int(200, 9000)
    return JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload })
  }
  return {
    header: () => [
      line("session_meta", {
        id,
        timestamp: new Date(at).toISOString(),
        cwd,
        originator: "codex_cli_rs",
        cli_version: "0.166.0",
        source: "cli",
      }),
    ],
    round({ prompt, steps, answer }) {
      const made = [
        line("turn_context", { cwd, approval_policy: "on-request", model: "gpt-5.5", summary: "auto" }),
        line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }),
        line("event_msg", { type: "user_message", message: prompt, kind: "plain" }),
      ]
      for (const { thinking, name, input, output } of steps) {
        const call = `call_${hex(24)}`
        if (thinking !== "")
          made.push(
            line("response_item", {
              type: "reasoning",
              summary: [{ type: "summary_text", text: thinking }],
              encrypted_content: hex(800),
            }),
          )
        made.push(
          line("response_item", {
            type: "function_call",
            name: name.toLowerCase(),
            arguments: JSON.stringify(input),
            call_id: call,
          }),
        )
        made.push(
          line("response_item", {
            type: "function_call_output",
            call_id: call,
            output: JSON.stringify({ output, metadata: { exit_code: 0 } }),
          }),
        )
        const total = { input_tokens: int(4000, 90_000), output_tokens: int(40, 1500) }
        made.push(
          line("event_msg", { type: "token_count", info: { total_token_usage: total, model_context_window: 258_400 } }),
        )
      }
      made.push(
        line("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] }),
      )
      made.push(line("event_msg", { type: "agent_message", message: answer }))
      return made
    },
  }
}

function pi({ id, cwd, began, int, hex }: Making): Lines {
  let [at, parent] = [began, null as string | null]
  const line = (message: object) => {
    const own = hex(8)
    at += int(200, 9000)
    const made = JSON.stringify({
      type: "message",
      id: own,
      parentId: parent,
      timestamp: new Date(at).toISOString(),
      message,
    })
    parent = own
    return made
  }
  return {
    header: () => [JSON.stringify({ type: "session", version: 3, id, timestamp: new Date(at).toISOString(), cwd })],
    round({ prompt, steps, answer }) {
      const made = [line({ role: "user", content: [{ type: "text", text: prompt }], timestamp: at })]
      const say = (content: object[]) => {
        const usage = { input: int(10, 4000), output: int(30, 1500), cacheRead: int(4000, 90_000) }
        made.push(
          line({
            role: "assistant",
            content,
            api: "anthropic-messages",
            model: "claude-sonnet-5",
            usage,
            timestamp: at,
          }),
        )
      }
      for (const { thinking, name, input, output } of steps) {
        const call = `toolu_${hex(20)}`
        const thought = thinking === "" ? [] : [{ type: "thinking", thinking }]
        say([...thought, { type: "toolCall", id: call, name: name.toLowerCase(), arguments: input }])
        made.push(
          line({
            role: "toolResult",
            toolCallId: call,
            toolName: name.toLowerCase(),
            content: [{ type: "text", text: output }],
          }),
        )
      }
      say([{ type: "text", text: answer }])
      return made
    },
  }
}

const FOLDERS = ["api", "web", "ledger", "sync", "infra", "parser", "ui", "billing"]
const PATHS = Array.from(
  { length: 400 },
  (_, n) => `src/${FOLDERS[n % 8]}/${["index", "types", "read", "write", "main"][n % 5]}${n % 37}.ts`,
)

function ascii(json: string): string {
  return json.replaceAll(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** What is installed with this project: the same wherever it is. */
function texts(): { prose: string; code: string; sentences: string[] } {
  const read = (path: string) => readFileSync(join(MODULES, path), "utf8").replaceAll(/[\ud800-\udfff]/g, "?")
  const declarations = readdirSync(join(MODULES, "typescript/lib"))
    .filter((name) => name.endsWith(".d.ts"))
    .sort()
  const code = declarations.map((name) => read(join("typescript/lib", name))).join("\n")
  const readmes = ["typescript", "vitest", "zod", "svelte", "picocolors", "diff", "ai"].flatMap((name) => {
    try {
      return [read(join(name, "README.md"))]
    } catch {
      return []
    }
  })
  // Comments are the largest body of prose at hand.
  const comments = [...code.matchAll(/\/\*\*([^]*?)\*\//g)].map(([, text = ""]) => text.replaceAll(/^\s*\*/gm, ""))
  const prose = [...readmes, ...comments].join("\n")
  const sentences = prose
    .split(/(?<=[.!?])\s+|\n\n/)
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, " "))
    .filter((sentence) => sentence.length > 25 && sentence.length < 220)
  return { prose, code, sentences: [...new Set(sentences)] }
}

function chance(seed: number) {
  let state = seed >>> 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)] as Value
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const hex = (length: number) => {
    let text = ""
    while (text.length < length)
      text += Math.floor(random() * 65_536)
        .toString(16)
        .padStart(4, "0")
    return text.slice(0, length)
  }
  return { random, int, pick, gauss, hex }
}
