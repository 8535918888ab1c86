// A host that is in the middle of two tool calls, or of an answer, for a test that kills it. Prints its session, and then waits.
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import { makeHost } from "../../../src/app/host.ts"
import { WINDOW_LIMITS } from "../../../src/runner/window/threshold.ts"
import { systemOptions } from "../../../src/session/state/system.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { localFiles } from "../../../src/store/file/local/local-files.ts"
import { openNoWorkspace } from "../../../src/workspace/none/no-workspace.ts"
import { scriptedModel } from "../../test-host.ts"

const [root = "", home = "", says] = process.argv.slice(2)
/** Ends when we are gone. */
const command = "echo running; while kill -0 $PPID 2>/dev/null; do sleep 0.05; done"
const calls = ["a", "b"].map((id) => ({ id, name: "Bash", input: { command } }))

const host = makeHost({
  store: fileStore({ home }),
  session: systemOptions(),
  made: { name: "test", version: "0" },
  now: () => Date.now(),
  openWorkspace: async () => openNoWorkspace("not here"),
  local: (log) => localFiles(home, log),
  model: async () => scriptedModel(says === undefined ? [{ text: "Running.", calls }] : [{ text: says, hangs: true }]),
  tools: async (parts) => builtInTools(parts),
  workRoot: (cwd) => ({ folder: cwd, scratch: home }),
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
session.on(({ event }) => {
  if (event.type === (says === undefined ? "tool-delta" : "text-delta"))
    process.stdout.write(`${JSON.stringify({ session: session.id })}\n`)
})
// As the connection to a provider would, until we are killed.
setInterval(() => undefined, 60_000)
await session.send({ text: "go" })
