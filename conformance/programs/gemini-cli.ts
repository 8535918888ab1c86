// Google's Gemini CLI.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gemini } from "../model/gemini.ts"
import { addedText, SYSTEM_PROMPT } from "../said.ts"
import type { Command, Place, Program } from "./program.ts"

export const geminiCli: Program = {
  name: "gemini-cli",
  agent: "gemini-cli",
  version: "0.61.0",
  npm: "@google/gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  protocol: gemini,
  setUp({ home }) {
    mkdirSync(join(home, ".gemini"))
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(SETTINGS))
    writeFileSync(join(home, ".gemini", EAGER), JSON.stringify({ model: { compressionThreshold: 1e-7 } }))
  },
  ask,
  // It does so before a prompt if the conversation fills more of the window than this setting of the machine allows.
  compacts: {
    by(place, resume) {
      const { argv, env } = ask(place, "This is said after a summary.", resume)
      return { argv, env: { ...env, GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(place.home, ".gemini", EAGER) } }
    },
  },
  write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
  shell: (command) => ({ name: "run_shell_command", input: { command } }),
  task: (prompt) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } }),
  taskAnswer: (text) => ({ calls: [{ id: "call", name: "complete_task", input: { result: { response: text } } }] }),
  noOwnHooks: "the case does not know how to add hooks of its own there yet",
  hooks: "gemini-cli",
  needsPrompt: true,
  mcp: { agent: "gemini", tool: (name) => ({ name: `mcp_retcon_${name}` }) },
  adds: [
    SYSTEM_PROMPT,
    addedText("texts that consist of one `<session_context>`", /^\s*<session_context>[\s\S]*<\/session_context>\s*$/),
    addedText(
      "what it adds to an unfinished round",
      /^\[The previous response was interrupted before it completed\.\]$/,
    ),
  ],
  rewords: ["results that it sends a second time when it resumes count once"],
}

function ask({ installed, url }: Place, prompt: string, resume: string[]): Command {
  const program = join(installed, "node_modules/@google/gemini-cli/bundle/gemini.js")
  return {
    argv: [process.execPath, program, "--skip-trust", "--yolo", ...resume, "--prompt", prompt],
    env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true", NO_BROWSER: "1" },
  }
}

const EAGER = "eager.json"

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, sessionRetention: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  model: { name: "gemini-2.5-flash" },
}
