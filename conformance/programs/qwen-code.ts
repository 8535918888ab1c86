// Alibaba's Qwen Code, which began as Gemini CLI.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chat } from "../model/chat.ts"
import { addedText, imagesApart, SYSTEM_PROMPT } from "../said.ts"
import { NODE_24, node24 } from "./node24.ts"
import { type Command, hookSays, type Place, type Program } from "./program.ts"

const VERSION = "0.24.4"

export const qwenCode: Program = {
  name: "qwen-code",
  agent: "qwen-code",
  version: VERSION,
  npm: "@qwen-code/qwen-code",
  packages: { "@qwen-code/qwen-code": VERSION, ...NODE_24 },
  protocol: chat,
  setUp({ home }) {
    mkdirSync(join(home, ".qwen"))
    writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(SETTINGS))
  },
  ask,
  compacts: "it discards a summary unless the model counts the tokens that it saves, and the fake model does not",
  write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
  // It makes such an edit itself, without a shell.
  shell: (command) => ({
    name: "run_shell_command",
    input: {
      command: command.replace(/^sed -i (\S+) (\S+)$/, "sed $1 $2 > $2.new && mv $2.new $2"),
      is_background: false,
    },
  }),
  read: (path) => ({ name: "read_file", input: { file_path: path } }),
  edit: (path, from, to) => ({ name: "edit", input: { file_path: path, old_string: from, new_string: to } }),
  background: (command) => ({ name: "run_shell_command", input: { command, is_background: true } }),
  task: (prompt) => ({
    name: "agent",
    input: { description: "Work", prompt, subagent_type: "general-purpose" },
  }),
  taskStarted: "launched",
  unhooked: ["comes back", "counted", "counted", "counted", "counted", "stays"],
  noHooks: "retcon has no hooks for it yet",
  unanswered: (text) => text.startsWith("Tool execution result was not recorded"),
  noMcp: "retcon does not install its server there yet",
  ownHooks({ home }, { start, prompt, tool }) {
    const hooks = {
      SessionStart: hookSays("SessionStart", start),
      UserPromptSubmit: hookSays("UserPromptSubmit", prompt),
      PostToolUse: hookSays("PostToolUse", tool),
    }
    writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify({ ...SETTINGS, hooks }))
  },
  adds: [
    SYSTEM_PROMPT,
    addedText("texts that consist of one `<system-reminder>`", /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/),
  ],
  unframed: imagesApart,
  rewords: ["the images of a result count behind it, as it sends them"],
}

function ask({ installed, url }: Place, prompt: string, resume: string[]): Command {
  const program = join(installed, "node_modules/@qwen-code/qwen-code/cli-entry.js")
  return {
    argv: [node24(installed), program, "--auth-type", "openai", "--yolo", ...resume, "--prompt", prompt],
    env: {
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "fake-model",
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
      QWEN_DISABLE_AUTO_TITLE: "1",
      NO_BROWSER: "1",
    },
  }
}

const SETTINGS = {
  security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  memory: { enableManagedAutoMemory: false },
  model: { name: "fake-model" },
}
