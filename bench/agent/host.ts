// A host for measuring: no files are covered, nobody is asked, and the model is a script that answers at once.
import type { Tool } from "../../src/agent/port/tool.ts"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { makeHost } from "../../src/app/host.ts"
import type { Json } from "../../src/model/json.ts"
import type { Part } from "../../src/model/record/record.ts"
import { type CountTokens, textTokens } from "../../src/model/tokens.ts"
import type { Host } from "../../src/protocol/host.ts"
import type { Model, StepRequest } from "../../src/provider/port/port.ts"
import { WINDOW_LIMITS } from "../../src/runner/window/threshold.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { localFiles } from "../../src/store/file/local/local-files.ts"
import { openNoWorkspace } from "../../src/workspace/none/no-workspace.ts"

export interface Calls {
  text?: string
  calls?: { name: string; input: Json }[]
}

export interface BenchHost {
  home: string
  durability: "sync" | "fast"
  backtrack: boolean
  /** What the model answers, at once; or a whole model. */
  model: ((request: StepRequest) => Calls) | Model
  tools?: readonly Tool[]
  tokens?: CountTokens
}

export function benchHost({ home, durability, backtrack, model, tools, tokens = textTokens }: BenchHost): Host {
  return makeHost({
    store: fileStore({ home }),
    session: { ...systemOptions(), durability },
    made: { name: "bench", version: "1" },
    now: () => Date.now(),
    openWorkspace: async () => openNoWorkspace("not measured here"),
    local: (log) => localFiles(home, log),
    model: async () => (typeof model === "function" ? scripted(model) : model),
    tools: async (parts) => tools ?? builtInTools(parts),
    workRoot: (cwd) => ({ folder: cwd, scratch: home }),
    env: { PATH: process.env.PATH ?? "" },
    secrets: [],
    systemPrompt: async () => "You are a coding agent that works in a person's workspace through tools.",
    tokens,
    limits: WINDOW_LIMITS,
    rules: () => ({ allow: [], deny: [] }),
    mode: "yolo",
    backtrack,
    maxSteps: 10_000,
  })
}

function scripted(script: (request: StepRequest) => Calls): Model {
  let made = 0
  return {
    id: "bench/script",
    window: undefined,
    maxOutput: undefined,
    async *step(request) {
      const { text, calls = [] } = script(request)
      const content: Part[] = calls.map(({ name, input }) => ({
        type: "tool-call",
        call: `call_${++made}`,
        name,
        input,
      }))
      if (text !== undefined) content.unshift({ type: "text", text })
      yield {
        type: "finish",
        reason: calls.length === 0 ? "stop" : "tool-calls",
        content,
        usage: { input: 1, output: 1 },
      }
    },
  }
}
