// Every agent whose sessions retcon reads: a new format is a folder beside this one, and a row here. Each is loaded when it is needed.
import type { KnownFormat } from "../port.ts"

/** The folders of editors, for agents that are extensions of one. */
const EDITORS = [
  ".config/Code",
  ".config/VSCodium",
  ".config/Cursor",
  "Library/Application Support/Code",
  ".vscode-server",
]

export const FORMATS: readonly KnownFormat[] = [
  {
    agent: "aider",
    folder: ".aider",
    variables: ["AIDER_CHAT_HISTORY_FILE"],
    creates: false,
    load: async () => (await import("../aider/format.ts")).aider,
  },
  {
    agent: "claude-code",
    folder: ".claude",
    variables: ["CLAUDE_CONFIG_DIR"],
    creates: true,
    load: async () => (await import("../claude-code/format.ts")).claudeCode,
  },
  {
    agent: "cline",
    folder: ".cline",
    others: EDITORS,
    variables: ["CLINE_DATA_DIR"],
    creates: false,
    load: async () => (await import("../cline/format.ts")).cline,
  },
  {
    agent: "codex",
    folder: ".codex",
    variables: ["CODEX_HOME"],
    creates: true,
    load: async () => (await import("../codex/format.ts")).codex,
  },
  {
    agent: "copilot-cli",
    folder: ".copilot",
    variables: ["COPILOT_HOME"],
    creates: false,
    load: async () => (await import("../copilot-cli/format.ts")).copilotCli,
  },
  {
    agent: "crush",
    folder: ".local/share/crush",
    variables: ["XDG_DATA_HOME", "CRUSH_GLOBAL_DATA"],
    creates: false,
    load: async () => (await import("../crush/format.ts")).crush,
  },
  {
    agent: "cursor",
    folder: ".cursor",
    variables: [],
    creates: false,
    load: async () => (await import("../cursor/format.ts")).cursor,
  },
  {
    agent: "droid",
    folder: ".factory",
    variables: ["FACTORY_HOME_OVERRIDE"],
    creates: false,
    load: async () => (await import("../droid/format.ts")).droid,
  },
  {
    agent: "gemini-cli",
    folder: ".gemini",
    variables: ["GEMINI_CLI_HOME"],
    creates: true,
    load: async () => (await import("../gemini-cli/format.ts")).geminiCli,
  },
  {
    agent: "goose",
    folder: ".local/share/goose",
    others: ["Library/Application Support/Block/goose"],
    variables: ["XDG_DATA_HOME", "GOOSE_PATH_ROOT"],
    creates: false,
    load: async () => (await import("../goose/format.ts")).goose,
  },
  {
    agent: "kilo-code",
    folder: ".kilocode",
    others: EDITORS,
    variables: [],
    creates: false,
    load: async () => (await import("../cline/format.ts")).kiloCode,
  },
  {
    agent: "kimi-cli",
    folder: ".kimi",
    variables: ["KIMI_SHARE_DIR"],
    creates: false,
    load: async () => (await import("../kimi-cli/format.ts")).kimiCli,
  },
  {
    agent: "kimi-code",
    folder: ".kimi-code",
    variables: ["KIMI_CODE_HOME"],
    creates: true,
    load: async () => (await import("../kimi-code/format.ts")).kimiCode,
  },
  {
    agent: "klaude-code",
    folder: ".klaude",
    variables: [],
    creates: false,
    load: async () => (await import("../klaude-code/format.ts")).klaudeCode,
  },
  {
    agent: "neovate",
    folder: ".neovate",
    variables: [],
    creates: true,
    load: async () => (await import("../neovate/format.ts")).neovate,
  },
  {
    agent: "opencode",
    folder: ".local/share/opencode",
    variables: ["XDG_DATA_HOME", "OPENCODE_DB"],
    creates: false,
    load: async () => (await import("../opencode/format.ts")).opencode,
  },
  {
    agent: "pi",
    folder: ".pi",
    variables: ["PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"],
    creates: true,
    load: async () => (await import("../pi/format.ts")).pi,
  },
  {
    agent: "qwen-code",
    folder: ".qwen",
    variables: ["QWEN_HOME", "QWEN_RUNTIME_DIR"],
    creates: false,
    load: async () => (await import("../qwen-code/format.ts")).qwenCode,
  },
  {
    agent: "roo-code",
    folder: ".roo",
    others: EDITORS,
    variables: [],
    creates: false,
    load: async () => (await import("../cline/format.ts")).rooCode,
  },
]

export const AGENTS: readonly string[] = FORMATS.map(({ agent }) => agent)

/** Those for which retcon can create sessions. */
export const CREATABLE: readonly string[] = FORMATS.filter(({ creates }) => creates).map(({ agent }) => agent)
