// A session of each agent where that agent keeps it, in a person's home.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AgentName } from "../../src/formats/port.ts"
import { isObject, type Json } from "../../src/model/json.ts"

export interface AgentSample {
  agent: AgentName
  /** Under test/formats: a file, or a folder. */
  sample: string
  /** Where it is in the home. */
  at: string
  /** Another place in which the agent would find one. `n`: below ten. */
  beside: (n: number) => string
  /** The file with the conversation, where that is not the sample itself. */
  main?: string
  /** It is one JSON document, not lines. */
  document?: true
  /** The agent's lines are read whole, up to a limit. */
  whole?: true
}

const DAY = ".codex/sessions/2026/11/15"
const rollout = (n: number) => `rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73ddd${n}.jsonl`
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

export const EVERY_AGENT: readonly AgentSample[] = [
  {
    agent: "aider",
    sample: "aider/samples/exported.jsonl",
    at: ".aider/exported/good.jsonl",
    beside: (n) => `.aider/exported/${n}.jsonl`,
  },
  {
    agent: "claude-code",
    sample: "claude-code/samples/plain-3turns.v2.1.119.jsonl",
    at: ".claude/projects/-work/good.jsonl",
    beside: (n) => `.claude/projects/-work/${uuid(n)}.jsonl`,
  },
  {
    agent: "cline",
    sample: "cline/samples/saoudrizwan.claude-dev/tasks/1795034300000",
    at: `.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1795034300000`,
    beside: (n) => `.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/179503430000${n}`,
    main: "api_conversation_history.json",
    document: true,
  },
  {
    agent: "codex",
    sample: "codex/samples/sub-agent/rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73dddd.jsonl",
    at: `${DAY}/rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73dddd.jsonl`,
    beside: (n) => `${DAY}/${rollout(n)}`,
  },
  {
    agent: "copilot-cli",
    sample: "copilot-cli/samples/three-rounds.jsonl",
    at: `.copilot/session-state/${uuid(9)}/events.jsonl`,
    beside: (n) => `.copilot/session-state/${uuid(n)}/events.jsonl`,
  },
  {
    agent: "crush",
    sample: "crush/samples/exported.jsonl",
    at: ".local/share/crush/exported/good.jsonl",
    beside: (n) => `.local/share/crush/exported/${n}.jsonl`,
  },
  {
    agent: "cursor",
    sample: "cursor/samples/0b1bc830-7756-4bcd-a966-0196b2a7fb72.jsonl",
    at: `.cursor/projects/work/agent-transcripts/${uuid(9)}.jsonl`,
    beside: (n) => `.cursor/projects/work/agent-transcripts/${uuid(n)}.jsonl`,
    whole: true,
  },
  {
    agent: "droid",
    sample: "droid/samples/three-rounds.jsonl",
    at: ".factory/sessions/-work/good.jsonl",
    beside: (n) => `.factory/sessions/-work/${uuid(n)}.jsonl`,
  },
  {
    agent: "gemini-cli",
    sample: "gemini-cli/samples/chats/three-rounds.jsonl",
    at: ".gemini/tmp/work/chats/session-2026-11-16T10-00-aaaaaaaa.jsonl",
    beside: (n) => `.gemini/tmp/work/chats/session-2026-11-16T10-00-0000000${n}.jsonl`,
  },
  {
    agent: "goose",
    sample: "goose/samples/exported.jsonl",
    at: ".local/share/goose/sessions/exported/good.jsonl",
    beside: (n) => `.local/share/goose/sessions/exported/${n}.jsonl`,
  },
  {
    agent: "kilo-code",
    sample: "kilo-code/samples/kilocode.kilo-code/tasks/019a7d1e-0000-7000-8000-000000000002",
    at: `.config/Code/User/globalStorage/kilocode.kilo-code/tasks/${uuid(9)}`,
    beside: (n) => `.config/Code/User/globalStorage/kilocode.kilo-code/tasks/${uuid(n)}`,
    main: "api_conversation_history.json",
    document: true,
  },
  {
    agent: "kimi-cli",
    sample: "kimi-cli/samples/three-rounds",
    at: `.kimi/sessions/work/${uuid(9)}`,
    beside: (n) => `.kimi/sessions/work/${uuid(n)}`,
    main: "context.jsonl",
  },
  {
    agent: "kimi-code",
    sample: "kimi-code/samples/undone",
    at: `.kimi-code/sessions/work/session_${uuid(9)}`,
    beside: (n) => `.kimi-code/sessions/work/session_${uuid(n)}`,
    main: "agents/main/wire.jsonl",
  },
  {
    agent: "klaude-code",
    sample: "klaude-code/samples/rewound",
    at: ".klaude/projects/work/sessions/good",
    beside: (n) => `.klaude/projects/work/sessions/${n}`,
    main: "events.jsonl",
  },
  {
    agent: "neovate",
    sample: "neovate/samples/three-rounds.jsonl",
    at: ".neovate/projects/work/65a89596.jsonl",
    beside: (n) => `.neovate/projects/work/0000000${n}.jsonl`,
  },
  {
    agent: "opencode",
    sample: "opencode/samples/export.json",
    at: ".local/share/opencode/exported/good.json",
    beside: (n) => `.local/share/opencode/exported/${n}.json`,
    document: true,
  },
  {
    agent: "pi",
    sample: "pi/samples/branched.jsonl",
    at: ".pi/agent/sessions/--work--/good.jsonl",
    beside: (n) => `.pi/agent/sessions/--work--/${n}.jsonl`,
  },
  {
    agent: "qwen-code",
    sample: "qwen-code/samples/compressed.jsonl",
    at: ".qwen/projects/-work/chats/good.jsonl",
    beside: (n) => `.qwen/projects/-work/chats/${uuid(n)}.jsonl`,
  },
  {
    agent: "roo-code",
    sample: "roo-code/samples/rooveterinaryinc.roo-cline/tasks/019a7d1e-0000-7000-8000-000000000001",
    at: `.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/${uuid(9)}`,
    beside: (n) => `.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/${uuid(n)}`,
    main: "api_conversation_history.json",
    document: true,
  },
]

/** Agents that follow a move, and a sample with several rounds, where the one above has not enough. */
const MOVED = new Map([
  ["claude-code", "claude-code/samples/plain-3turns.v325.jsonl"],
  ["codex", ""],
  ["gemini-cli", ""],
  ["kimi-code", "kimi-code/samples/three-rounds"],
  ["neovate", ""],
  ["pi", "pi/samples/three-rounds.jsonl"],
  ["qwen-code", ""],
])

export const EVERY_MOVED: readonly AgentSample[] = EVERY_AGENT.filter(({ agent }) => MOVED.has(agent)).map((each) => ({
  ...each,
  sample: MOVED.get(each.agent) || each.sample,
}))

/** Copies the sample; answers what a person would name, and the file with the conversation. */
export function putSample({ sample, at, main = "" }: AgentSample, person: string): { path: string; main: string } {
  const path = join(person, at)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(join(import.meta.dirname, "../formats", sample), path, { recursive: true })
  return { path, main: join(path, main) }
}

/** A place in which the agent would look for another conversation; nothing is there yet. */
export function placeBeside({ beside, main = "" }: AgentSample, person: string, n: number): string {
  const file = join(person, beside(n), main)
  mkdirSync(dirname(file), { recursive: true })
  return file
}

/** Sequences that clear a screen, name a window and turn the order of text. */
const EVIL = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e"

/** Texts steer the terminal; names and paths lead elsewhere. */
function hostile(value: Json): Json {
  if (Array.isArray(value)) return value.map(hostile)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, altered(key, each)]))
  return typeof value === "string" && value.includes(" ") ? `${value}${EVIL}` : value
}

const NAMES =
  /^(?:session_?id|thread_?id|conversation_?id|agent_?id|cwd|projectHash|directory|work_?dir|customTitle|summary|title|aiTitle)$/i

function altered(key: string, value: Json): Json {
  return typeof value === "string" && NAMES.test(key) ? `../../../../../../etc/${EVIL}` : hostile(value)
}

/** The sample, with texts that would steer a terminal, and names and folders that lead elsewhere. */
export function putHostile(each: AgentSample, person: string): { path: string; main: string } {
  const put = putSample(each, person)
  const text = readFileSync(put.main, "utf8")
  const lines = each.document === true ? [text] : text.split("\n").filter((line) => line !== "")
  const made = lines.map((line) => JSON.stringify(hostile(JSON.parse(line) as Json)))
  writeFileSync(put.main, `${made.join("\n")}\n`)
  return put
}
