// Sessions of Claude Code, Codex and pi in the shapes that those write, with random numbers: pieces with placeholders, forks,
// sub-agents, repeated events.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const DAY = 24 * 60 * 60 * 1000

export interface GeneratedOptions {
  seed: number
  sessions: number
  /** Of a session, at most. */
  requests: number
  /** The last time, in milliseconds, and how many days before it sessions begin. */
  until: number
  days: number
}

/** A small home; `GENERATED_TRUTH` in the test of its counts was recorded from ccusage. */
export const GENERATED: GeneratedOptions = {
  seed: 1,
  sessions: 40,
  requests: 30,
  until: Date.parse("2026-11-18T00:00:00Z"),
  days: 60,
}

interface Random {
  int: (from: number, to: number) => number
  chance: (share: number) => boolean
  hex: (digits: number) => string
  uuid: () => string
  pick: <Value>(values: readonly Value[]) => Value
}

function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const hex = (digits: number) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join("")
  return {
    int,
    hex,
    chance: (share) => next() < share,
    uuid: () => `01a1${hex(4)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`,
    pick: (values) => values[int(0, values.length - 1)] as never,
  }
}

/** By path in a person's home. */
export function generatedSessions({ seed, sessions, requests, until, days }: GeneratedOptions): Map<string, string> {
  const random = randomFrom(seed)
  const files = new Map<string, string>()
  for (let n = 0; n < sessions; n++) {
    const at = until - random.int(1, days) * DAY + random.int(0, DAY / 2)
    const cwd = `/home/dev/project-${random.int(1, 9)}`
    const session = { random, id: random.uuid(), cwd, at, requests: random.int(1, requests) }
    const kind = n % 5
    if (kind < 3) addClaude(files, session)
    else if (kind === 3) addCodex(files, session)
    else addPi(files, session)
  }
  return files
}

export function putGenerated(home: string, files: ReadonlyMap<string, string>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), content)
  }
}

interface Made {
  random: Random
  id: string
  cwd: string
  at: number
  requests: number
}

const print = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("")
const iso = (time: number) => new Date(time).toISOString()

function addClaude(files: Map<string, string>, { random, id, cwd, at, requests }: Made): void {
  const { int, hex, chance, pick } = random
  const folder = `.claude/projects/${cwd.replaceAll("/", "-")}`
  const model = pick(["claude-opus-4-8", "claude-sonnet-5", "claude-haiku-4-5"])
  let [time, parent] = [at, null as string | null]
  const line = (sessionId: string, body: object) => {
    const uuid = random.uuid()
    time += int(200, 90_000)
    const all = {
      parentUuid: parent,
      isSidechain: false,
      cwd,
      sessionId,
      version: "2.1.197",
      ...body,
      uuid,
      timestamp: iso(time),
    }
    parent = uuid
    return all
  }
  const answer = (sessionId: string, more: object = {}): object[] => {
    const [message, pieces] = [`msg_${hex(24)}`, int(1, 3)]
    const usage = {
      input_tokens: int(3, 40),
      cache_creation_input_tokens: int(200, 6000),
      cache_read_input_tokens: int(0, 180_000),
      output_tokens: int(30, 1500),
    }
    const requestId = `req_${hex(24)}`
    return Array.from({ length: pieces }, (_, n) => {
      const told = n === pieces - 1 ? usage : { ...usage, output_tokens: 1 }
      const content = [{ type: "text", text: `piece ${n}` }]
      return line(sessionId, {
        type: "assistant",
        requestId,
        message: { id: message, type: "message", role: "assistant", model, content, usage: told },
        ...more,
      })
    })
  }
  const lines: object[] = [line(id, { type: "user", message: { role: "user", content: "hello" } })]
  for (let n = 0; n < requests; n++) lines.push(...answer(id))
  files.set(`${folder}/${id}.jsonl`, print(lines))
  if (chance(0.3)) {
    const fork = random.uuid()
    const copied = lines.slice(0, Math.ceil(lines.length * 0.6)).map((each) => ({ ...each, sessionId: fork }))
    files.set(`${folder}/${fork}.jsonl`, print([...copied, ...answer(fork)]))
  }
  if (chance(0.3)) {
    const own = { isSidechain: true, agentId: "a1b2c3" }
    const replayed = lines.filter((each) => "requestId" in each).slice(-1)
    const told = [...replayed.map((each) => ({ ...each, requestId: `req_${hex(24)}`, ...own })), ...answer(id, own)]
    files.set(`${folder}/${id}/subagents/agent-a1b2c3.jsonl`, print(told))
  }
}

function addCodex(files: Map<string, string>, { random, id, cwd, at, requests }: Made): void {
  const { int, chance } = random
  let time = at
  const event = (type: string, payload: object) => {
    time += int(200, 90_000)
    return { timestamp: iso(time), type, payload }
  }
  const sum = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_output_tokens: 0, total_tokens: 0 }
  const counted = (): object[] => {
    const input = int(4000, 90_000)
    const output = int(40, 1500)
    const last = {
      input_tokens: input,
      cached_input_tokens: Math.floor(input * 0.8),
      output_tokens: output,
      reasoning_output_tokens: int(0, 30),
      total_tokens: input + output,
    }
    for (const [name, value] of Object.entries(last)) sum[name as keyof typeof sum] += value
    const info = { total_token_usage: { ...sum }, last_token_usage: last, model_context_window: 258_400 }
    return Array.from({ length: chance(0.3) ? 2 : 1 }, () => event("event_msg", { type: "token_count", info }))
  }
  const header = (thread: string, more: object = {}) =>
    event("session_meta", {
      id: thread,
      timestamp: iso(time),
      cwd,
      originator: "codex_cli_rs",
      cli_version: "0.166.0",
      source: "cli",
      ...more,
    })
  const context = () => event("turn_context", { cwd, model: "gpt-5.5", approval_policy: "never" })
  const path = (thread: string, from: number) => {
    const day = iso(from).slice(0, 10)
    return `.codex/sessions/${day.replaceAll("-", "/")}/rollout-${iso(from).slice(0, 19).replaceAll(":", "-")}-${thread}.jsonl`
  }
  const lines = [header(id), context()]
  for (let n = 0; n < requests; n++) lines.push(...(counted() as typeof lines))
  files.set(path(id, at), print(lines))
  if (!chance(0.2)) return
  const fork = random.uuid()
  const begun = (time += 60_000)
  const replayed = lines.map((each) => ({ ...each, timestamp: iso(begun) }))
  files.set(path(fork, begun), print([header(fork, { forked_from_id: id }), ...replayed, ...counted()]))
}

function addPi(files: Map<string, string>, { random, id, cwd, at, requests }: Made): void {
  const { int, hex } = random
  let [time, parentId] = [at, null as string | null]
  const line = (message: object) => {
    time += int(200, 90_000)
    const own = {
      type: "message",
      id: hex(8),
      parentId,
      timestamp: iso(time),
      message: { ...message, timestamp: time },
    }
    parentId = own.id
    return own
  }
  const lines: object[] = [{ type: "session", version: 3, id, timestamp: iso(time), cwd }]
  lines.push(line({ role: "user", content: [{ type: "text", text: "hello" }] }))
  for (let n = 0; n < requests; n++) {
    const counts = { input: int(10, 4000), output: int(30, 1500), cacheRead: int(0, 90_000), cacheWrite: int(0, 4000) }
    const totalTokens = counts.input + counts.output + counts.cacheRead + counts.cacheWrite
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
    const said = {
      role: "assistant",
      content: [{ type: "text", text: "ok" }],
      api: "anthropic-messages",
      provider: "anthropic",
    }
    lines.push(line({ ...said, model: "claude-sonnet-5", usage: { ...counts, totalTokens, cost }, stopReason: "stop" }))
  }
  const folder = `--${cwd.slice(1).replaceAll("/", "-")}--`
  files.set(`.pi/agent/sessions/${folder}/${iso(at).replaceAll(/[:.]/g, "-")}_${id}.jsonl`, print(lines))
}
