// The programs that speak the Agent Client Protocol and whose sessions retcon reads: how each is started.

export interface AcpLaunch {
  agent: string
  /** Its name on the PATH, and its arguments. */
  command: readonly [string, ...string[]]
  /** How to install it. */
  install: string
  /** How a person logs in: a command. */
  login: string
  /** Its own environment variables, its key included. */
  env: RegExp
  /** The way to log in, if this variable has a key. */
  auth?: { variable: string; method: string }
  /** It writes to the wrong file if it loads a session in the minute in which that was created. */
  minute?: true
  /** It greets as if it answered. */
  greets?: true
  /** What it puts in front of the ids that calls have in its file. */
  callPrefix?: RegExp
}

const npm = (name: string) => `npm install -g ${name}`

export const ACP_LAUNCHES: readonly AcpLaunch[] = [
  {
    agent: "gemini-cli",
    command: ["gemini", "--acp"],
    install: npm("@google/gemini-cli"),
    login: "gemini",
    env: /^(?:GEMINI|GOOGLE)_/,
    auth: { variable: "GEMINI_API_KEY", method: "gemini-api-key" },
    minute: true,
  },
  {
    agent: "kimi-code",
    command: ["kimi", "acp"],
    install: npm("@moonshot-ai/kimi-code"),
    login: "kimi",
    env: /^(?:KIMI|MOONSHOT)_/,
    callPrefix: /^\d+:/,
  },
  { agent: "pi", command: ["pi-acp"], install: npm("pi-acp"), login: "pi", env: /^PI_|_API_KEY$/, greets: true },
  {
    agent: "codex",
    command: ["codex-acp"],
    install: npm("@agentclientprotocol/codex-acp"),
    login: "codex login",
    env: /^(?:CODEX|OPENAI)_/,
  },
  {
    agent: "opencode",
    command: ["opencode", "acp"],
    install: npm("opencode-ai"),
    login: "opencode auth login",
    env: /^OPENCODE_|_API_KEY$/,
  },
]

/** The file of a Gemini session is named after the minute in which it was created. */
const MINUTE = /session-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-[^/\\]*$/
const MINUTE_MS = 60_000

/** Milliseconds until the program may load this session; 0: now. */
export function loadsIn({ minute }: AcpLaunch, file: string, now: number): number {
  const [, hour, minutes] = (minute && MINUTE.exec(file)) || []
  const created = Date.parse(`${hour}:${minutes}:00Z`)
  return Number.isNaN(created) || now < created ? 0 : Math.max(0, created + MINUTE_MS - now)
}
