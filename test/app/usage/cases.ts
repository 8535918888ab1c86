// Sessions with a known usage, one home for each way in which agents tell of a request more than once. The truths are those of the
// requests as they were made, and `scripts/compare-usage.mjs` compares them with what ccusage counts.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export interface UsageCase {
  name: string
  agent: "claude-code" | "codex" | "pi"
  /** By path in a person's home. */
  files: Readonly<Record<string, readonly object[]>>
  truth: { requests: number; input: number; output: number; cacheRead: number; cacheWrite: number }
}

const CWD = "/home/dev/p"
const BEGIN = Date.parse("2026-11-10T10:00:00Z")

const minute = (n: number) => new Date(BEGIN + n * 60_000).toISOString()
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const CLAUDE = (session: string) => `.claude/projects/-home-dev-p/${session}.jsonl`
const [A, B] = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"]

function asked(sessionId: string, id: number, parent: number | null, content: string, at: number) {
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    type: "user",
    message: { role: "user", content },
    uuid: uuid(id),
    timestamp: minute(at),
    cwd: CWD,
    sessionId,
    version: "2.1.197",
  }
}

interface Piece {
  id: number
  parent: number | null
  message: string
  request?: string
  block: object
  output: number
  at: number
  more?: object
}

function piece(sessionId: string, { id, parent, message, request, block, output, at, more }: Piece) {
  const counts = { input_tokens: 10, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 }
  return {
    parentUuid: parent === null ? null : uuid(parent),
    isSidechain: false,
    type: "assistant",
    ...(request !== undefined && { requestId: request }),
    message: {
      id: message,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5",
      content: [block],
      usage: { ...counts, output_tokens: output },
    },
    uuid: uuid(id),
    timestamp: minute(at),
    cwd: CWD,
    sessionId,
    version: "2.1.197",
    ...more,
  }
}

const text = (said: string) => ({ type: "text", text: said })
const CALL = { type: "tool_use", id: "toolu_1", name: "Read", input: { file_path: "x" } }

/** Two requests: of the first, in three pieces, only the last has the real output. */
function two(session: string, named = true) {
  const first = (n: number) => ({ message: "msg_1", ...(named && { request: "req_1" }), parent: n - 1, at: 1 })
  return [
    asked(session, 1, null, "hello", 0),
    piece(session, { id: 2, ...first(2), block: { type: "thinking", thinking: "hm", signature: "x" }, output: 1 }),
    piece(session, { id: 3, ...first(3), block: text("part"), output: 5 }),
    piece(session, { id: 4, ...first(4), block: CALL, output: 50 }),
    asked(session, 5, 4, "go on", 2),
    piece(session, { id: 6, parent: 5, message: "msg_2", request: "req_2", block: text("done"), output: 70, at: 3 }),
  ]
}

const [X, Y, Z] = [1, 2, 3].map((n) => `01a1e0fd-4018-7d53-b38a-7ea80e73000${n}`) as [string, string, string]
const CODEX = (thread: string, at: number) =>
  `.codex/sessions/2026/11/10/rollout-2026-11-10T10-${String(at).padStart(2, "0")}-00-${thread}.jsonl`

const sums = (n: number) => ({
  input_tokens: n * 1000,
  cached_input_tokens: n * 600,
  output_tokens: n * 15,
  reasoning_output_tokens: n,
  total_tokens: n * 1015,
})

function counted(total: number, last: number, at: number) {
  const info = { total_token_usage: sums(total), last_token_usage: sums(last), model_context_window: 258_400 }
  return { timestamp: minute(at), type: "event_msg", payload: { type: "token_count", info } }
}

function header(id: string, at: number, more = {}) {
  const made = { originator: "codex_cli_rs", cli_version: "0.166.0", source: "cli", model_provider: "openai" }
  return {
    timestamp: minute(at),
    type: "session_meta",
    payload: { id, timestamp: minute(at), cwd: CWD, ...made, ...more },
  }
}

function said(at: number, words: string) {
  const content = [{ type: "input_text", text: words }]
  return { timestamp: minute(at), type: "response_item", payload: { type: "message", role: "user", content } }
}

/** Two requests, each counted twice: the second event is only about limits. */
function twoTurns(from = 0) {
  const context = { cwd: CWD, model: "gpt-5.5", approval_policy: "never" }
  return [
    { timestamp: minute(from), type: "turn_context", payload: context },
    said(from, "hello"),
    counted(1, 1, from + 1),
    counted(1, 1, from + 2),
    said(from + 3, "go on"),
    counted(2, 1, from + 3),
    counted(2, 1, from + 4),
  ]
}

const replayed = (at: number) => twoTurns().map((line) => ({ ...line, timestamp: minute(at) }))

const PI = (id: string) => `.pi/agent/sessions/--home-dev-p--/2026-11-10T10-00-00-000Z_${id}.jsonl`

function piTwo(id: string, parentSession?: string) {
  const message = (n: number, body: object) => ({
    type: "message",
    id: `0000000${n}`,
    parentId: n === 1 ? null : `0000000${n - 1}`,
    timestamp: minute(n),
    message: { ...body, timestamp: BEGIN + n * 60_000 },
  })
  const answer = (output: number) => ({
    role: "assistant",
    content: [text("ok")],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-5",
    usage: {
      input: 10,
      output,
      cacheRead: 1000,
      cacheWrite: 100,
      totalTokens: 1110 + output,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
  })
  const begin = { type: "session", version: 3, id, timestamp: minute(0), cwd: CWD }
  return [
    { ...begin, ...(parentSession !== undefined && { parentSession }) },
    message(1, { role: "user", content: [text("hello")] }),
    message(2, answer(50)),
    message(3, { role: "user", content: [text("go on")] }),
    message(4, answer(70)),
  ]
}

const claude = (requests: number, output: number) => ({
  requests,
  input: requests * 10,
  output,
  cacheRead: requests * 1000,
  cacheWrite: requests * 100,
})
const codex = (requests: number) => ({
  requests,
  input: requests * 400,
  output: requests * 15,
  cacheRead: requests * 600,
  cacheWrite: 0,
})

export const USAGE_CASES: readonly UsageCase[] = [
  {
    name: "an answer in pieces, of which all but the last have a placeholder",
    agent: "claude-code",
    files: { [CLAUDE(A)]: two(A) },
    truth: claude(2, 120),
  },
  {
    name: "a copy as a fork, and one more request",
    agent: "claude-code",
    files: {
      [CLAUDE(A)]: two(A),
      [CLAUDE(B)]: [
        ...two(B),
        asked(B, 7, 6, "more", 10),
        piece(B, { id: 8, parent: 7, message: "msg_3", request: "req_3", block: text("ok"), output: 30, at: 11 }),
      ],
    },
    truth: claude(3, 150),
  },
  {
    name: "a sub-agent's file that repeats an answer under another request id",
    agent: "claude-code",
    files: {
      [CLAUDE(A)]: two(A),
      [`.claude/projects/-home-dev-p/${A}/subagents/agent-a1.jsonl`]: [
        { id: 20, parent: null, message: "msg_2", request: "req_9", block: text("done"), output: 70, at: 3 },
        { id: 21, parent: 20, message: "msg_4", request: "req_4", block: text("sub"), output: 20, at: 4 },
      ].map((each) => piece(A, { ...each, more: { isSidechain: true, agentId: "a1" } })),
    },
    truth: claude(3, 140),
  },
  {
    name: "no id of the request",
    agent: "claude-code",
    files: { [CLAUDE(A)]: two(A, false).slice(0, 4) },
    truth: claude(1, 50),
  },
  {
    name: "events that repeat the same sums",
    agent: "codex",
    files: { [CODEX(X, 0)]: [header(X, 0), ...twoTurns()] },
    truth: codex(2),
  },
  {
    name: "a fork that begins with its parent's events, at the time of the fork",
    agent: "codex",
    files: {
      [CODEX(X, 0)]: [header(X, 0), ...twoTurns()],
      [CODEX(Y, 30)]: [
        header(Y, 30, { forked_from_id: X }),
        header(X, 30),
        ...replayed(30),
        said(31, "more"),
        counted(3, 1, 32),
      ],
    },
    truth: codex(3),
  },
  {
    name: "two threads that happen to have the same numbers",
    agent: "codex",
    files: { [CODEX(X, 0)]: [header(X, 0), ...twoTurns()], [CODEX(Y, 30)]: [header(Y, 30), ...twoTurns(30)] },
    truth: codex(4),
  },
  {
    name: "sums that begin anew",
    agent: "codex",
    files: { [CODEX(X, 0)]: [header(X, 0), ...twoTurns(), said(5, "again"), counted(1, 1, 6)] },
    truth: codex(3),
  },
  {
    name: "a session of pi",
    agent: "pi",
    files: { [PI(X)]: piTwo(X) },
    truth: claude(2, 120),
  },
]

/** Of these, ccusage has no notion. */
export const MORE_USAGE_CASES: readonly UsageCase[] = [
  {
    name: "a fork of a fork, that names only its parent",
    agent: "codex",
    files: {
      [CODEX(X, 0)]: [header(X, 0), ...twoTurns()],
      [CODEX(Y, 30)]: [header(Y, 30, { forked_from_id: X }), ...replayed(30), said(31, "more"), counted(3, 1, 32)],
      [CODEX(Z, 40)]: [header(Z, 40, { forked_from_id: Y }), ...replayed(40), counted(3, 1, 40), counted(4, 1, 41)],
    },
    truth: codex(4),
  },
  {
    name: "a fork of pi, which repeats the entries",
    agent: "pi",
    files: { [PI(X)]: piTwo(X), [PI(Y)]: piTwo(Y, `/home/dev/${PI(X)}`) },
    truth: claude(2, 120),
  },
  {
    name: "the program's own words and lines that are cut off",
    agent: "claude-code",
    files: {
      [CLAUDE(A)]: [
        ...two(A),
        {
          ...piece(A, { id: 30, parent: 6, message: "m", block: text("no"), output: 9, at: 9 }),
          message: { id: "m", role: "assistant", model: "<synthetic>", content: [], usage: { output_tokens: 9 } },
        },
      ],
    },
    truth: claude(2, 120),
  },
]

export function putUsageCase(home: string, { files }: Pick<UsageCase, "files">): void {
  for (const [path, lines] of Object.entries(files)) {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  }
}
