// A host whose attempts are in the middle of their commands, for a test that kills it. Prints a line when all are.
import { makeSandbox } from "../../../src/agent/sandbox/sandbox.ts"
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import { makeHost } from "../../../src/app/host.ts"
import { WINDOW_LIMITS } from "../../../src/runner/window/threshold.ts"
import { systemOptions } from "../../../src/session/state/system.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { localFiles } from "../../../src/store/file/local/local-files.ts"
import { copyAt } from "../../../src/workspace/git/copy/copied-folder.ts"
import { openGitWorkspace } from "../../../src/workspace/git/git-workspace.ts"
import { scriptedModel } from "../../test-host.ts"

const [root = "", home = "", command = ""] = process.argv.slice(2)
const scratch = `${home}/scratch`

const host = makeHost({
  store: fileStore({ home }),
  session: systemOptions(),
  made: { name: "test", version: "0" },
  now: () => Date.now(),
  openWorkspace: (cwd, session) =>
    openGitWorkspace({
      root: cwd,
      home,
      session,
      clock: () => Date.now(),
      newId: () => `${process.hrtime.bigint()}`.padStart(16, "0").slice(-16),
    }),
  local: (log) => localFiles(home, log),
  model: async () =>
    scriptedModel([
      { calls: [{ name: "Write", input: { path: "made.txt", content: "made\n" } }] },
      { calls: [{ name: "Bash", input: { command } }] },
    ]),
  tools: async (parts) => builtInTools(parts),
  workRoot: (cwd) => {
    const copy = copyAt(home, cwd)
    return { folder: cwd, scratch, own: home, ...(copy === undefined ? {} : { origin: copy.of }) }
  },
  sandbox: ({ folder, origin }, mode) =>
    makeSandbox({
      settings: { use: "auto", network: "on", write: [] },
      mode,
      root: folder,
      home,
      readable: [scratch],
      search: "/usr/bin:/bin",
      ...(origin !== undefined && { copy: { folder, origin, objects: [] } }),
    }),
  env: { PATH: process.env.PATH ?? "" },
  secrets: [],
  systemPrompt: async () => "Be brief.",
  tokens: (text) => text.length,
  limits: WINDOW_LIMITS,
  rules: () => ({ allow: [], deny: [] }),
  mode: "yolo",
  backtrack: false,
  maxSteps: 5,
})
const session = await host.create({ cwd: root })
const working = new Set<string>()
session.on(({ event }) => {
  if (event.type !== "attempt" || !event.state.doing.startsWith("Bash")) return
  if (working.add(event.state.label).size === 2) process.stdout.write(`${JSON.stringify({ session: session.id })}\n`)
})
// As the connection to a provider would, until we are killed.
setInterval(() => undefined, 60_000)
await session.work?.explore({ prompt: "go", attempts: 2 })
