// Google's Gemini CLI.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gemini } from "../model/gemini.ts"
import { addedText, imagesApart, type Said, SYSTEM_PROMPT } from "../said.ts"
import type { Terminal } from "../terminal.ts"
import { bang, type Command, choose, emptied, hookSays, type Place, type Program } from "./program.ts"

const READY = /Type your message/

export const geminiCli: Program = {
  name: "gemini-cli",
  agent: "gemini-cli",
  version: "0.61.0",
  npm: "@google/gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  protocol: gemini,
  setUp({ home }) {
    mkdirSync(join(home, ".gemini"))
    const eager = { ...SETTINGS, model: { ...SETTINGS.model, compressionThreshold: 1e-7 } }
    for (const name of ["settings", "calm"]) writeFileSync(join(home, `.gemini/${name}.json`), JSON.stringify(SETTINGS))
    writeFileSync(join(home, ".gemini/eager.json"), JSON.stringify(eager))
  },
  ask,
  driven: {
    name: "gemini",
    start(place) {
      const { argv, env = {} } = ask(place, "", [])
      return { argv: [argv[0], argv[1] ?? "", "--skip-trust", "--yolo"], env }
    },
    asks: { mode: "default" },
  },
  // It does so before a prompt if the conversation fills more of the window than a setting allows.
  compacts: {
    by(place, resume) {
      const asked = ask(place, "This is said after a summary.", resume)
      return { ...asked, argv: ["sh", "-c", WITH_EAGER_SETTINGS, "sh", ...asked.argv] }
    },
  },
  write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
  shell: (command) => ({ name: "run_shell_command", input: { command } }),
  edit: (path, from, to) => ({
    name: "replace",
    input: { file_path: path, old_string: from, new_string: to, instruction: "Replace it." },
  }),
  unhooked: ["comes back", "counted", "comes back", "counted", "counted", "stays"],
  background: (command) => ({ name: "run_shell_command", input: { command, is_background: true } }),
  task: (prompt) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } }),
  taskAnswer: (text) => ({ calls: [{ id: "call", name: "complete_task", input: { result: { response: text } } }] }),
  ownHooks({ home }, { start, prompt, tool }) {
    const hooks = {
      SessionStart: hookSays("SessionStart", start),
      BeforeAgent: hookSays("BeforeAgent", prompt),
      AfterTool: hookSays("AfterTool", tool),
    }
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify({ ...SETTINGS, hooks }))
  },
  hooks: "gemini-cli",
  needsPrompt: true,
  refuses: ["first prompt"],
  mcp: { agent: "gemini", tool: (name) => ({ name: `mcp_retcon_${name}` }) },
  adds: [
    SYSTEM_PROMPT,
    addedText("texts that consist of one `<session_context>`", /^\s*<session_context>[\s\S]*<\/session_context>\s*$/),
    addedText(
      "what it adds to an unfinished round",
      /^\[The previous response was interrupted before it completed\.\]$/,
    ),
  ],
  unframed: (said) => imagesApart(said).flatMap(hooksApart),
  rewords: [
    "what hooks say in front of a prompt counts as a text of its own",
    "results that it sends a second time when it resumes count once",
    "the images of a result count behind it, as it sends them",
  ],
  forgets: ["/home/you is full, what now?", "? I do not understand"],
  typed: {
    setUp() {},
    command(place, resume) {
      const asked = ask(place, "", resume)
      return { ...asked, argv: asked.argv.slice(0, -2) as Command["argv"] }
    },
    ready: READY,
    takesBack: true,
    async rewind(terminal, prompt) {
      await terminal.type("/rewind")
      terminal.press("Enter")
      await terminal.sees("Stay at current position")
      await choose(terminal, `● ${prompt}`)
      const choices = await terminal.sees(/\d\. Rewind conversation/)
      terminal.press(/(\d)\. Rewind conversation(?! and)/.exec(choices)?.[1] ?? "")
      await emptied(terminal, new RegExp(`^ \\* ${prompt}`, "m"), READY)
    },
    saved: {
      save: (terminal) => told(terminal, "/chat save one", "Conversation checkpoint saved"),
      bringBack: (terminal) => told(terminal, "/chat resume one", "Both are done."),
    },
    async shellLine(terminal, command, shows) {
      await bang(terminal, command, shows)
      await terminal.sees("Type your shell command")
      terminal.press("Escape")
      await terminal.sees(/Type your message/)
    },
    async leave(terminal) {
      await terminal.type("/quit")
      terminal.press("Enter")
    },
  },
}

function hooksApart({ by, text }: Said): Said[] {
  const [, hooked, prompt] = /^(<hook_context>[\s\S]*?<\/hook_context>)\n\n([\s\S]+)$/.exec(text) ?? []
  if (by !== "user" || hooked === undefined || prompt === undefined) return [{ by, text }]
  return [hooked, prompt].map((each) => ({ by, text: each }))
}

async function told(terminal: Terminal, command: string, shows: string): Promise<void> {
  await terminal.type(command)
  terminal.press("Enter")
  await terminal.sees(shows)
  await terminal.sees(/Type your message/)
}

function ask({ installed, url }: Place, prompt: string, resume: string[]): Command {
  const program = join(installed, "node_modules/@google/gemini-cli/bundle/gemini.js")
  return {
    argv: [process.execPath, program, "--skip-trust", "--yolo", ...resume, "--prompt", prompt],
    env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true", NO_BROWSER: "1" },
  }
}

const WITH_EAGER_SETTINGS = `cd "$HOME/.gemini" && cp eager.json settings.json && cd "$OLDPWD" && "$@"
code=$?; cp "$HOME/.gemini/calm.json" "$HOME/.gemini/settings.json"; exit $code`

const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, sessionRetention: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  model: { name: "gemini-2.5-flash" },
}
