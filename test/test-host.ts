// A host over temporary folders, with the practice model and real tools: for end-to-end tests.
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { builtInTools } from "../src/agent/tools/built-in.ts"
import { makeHost } from "../src/app/host.ts"
import type { HostDeps } from "../src/app/port/host-deps.ts"
import type { SessionId } from "../src/model/id.ts"
import type { Json } from "../src/model/json.ts"
import type { Part, Usage } from "../src/model/record/record.ts"
import type { HostEvent } from "../src/protocol/event.ts"
import type { Host, HostSession, WorkSession } from "../src/protocol/host.ts"
import { workIn } from "../src/protocol/open-to-work.ts"
import type { FinishReason, Model, ModelEvent, ModelProblem, StepRequest } from "../src/provider/port/port.ts"
import { practiceModel } from "../src/provider/practice/practice.ts"
import { WINDOW_LIMITS } from "../src/runner/window/threshold.ts"
import { systemOptions } from "../src/session/state/system.ts"
import { fileStore } from "../src/store/file/file-store.ts"
import { localFiles } from "../src/store/file/local/local-files.ts"
import { openGitWorkspace } from "../src/workspace/git/git-workspace.ts"

export interface TestHost {
  root: string
  home: string
  host: Host
  parts: HostDeps
  /** As if in another process: it shares nothing but the files. */
  elsewhere: () => Host
  open: (id?: SessionId) => Promise<{ session: WorkSession; events: HostEvent[] }>
  /** One in which perhaps nobody can work here. */
  view: (id: SessionId) => Promise<{ session: HostSession; events: HostEvent[] }>
}

export function makeTestHost(changes: Partial<HostDeps> = {}): TestHost {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retcon-host-")))
  const [root, home] = [join(base, "work"), join(base, "home")]
  mkdirSync(root)
  const opened: HostSession[] = []
  onTestFinished(async () => {
    for (const session of opened) await session.close()
    rmSync(base, { recursive: true, force: true })
  })
  const store = fileStore({ home })
  const deps: HostDeps = {
    store,
    openFile: (path) => store.openFile(path),
    session: systemOptions(),
    made: { name: "test", version: "0" },
    now: () => Date.now(),
    openWorkspace: (cwd, session, store) =>
      openGitWorkspace({
        root: cwd,
        home,
        session,
        store,
        clock: () => Date.now(),
        newId: () => randomBytes(8).toString("hex"),
      }),
    local: (log) => localFiles(home, log),
    model: async () => practiceModel(),
    tools: async (tools) => builtInTools(tools),
    workRoot: (cwd, session) => ({ folder: cwd, scratch: join(home, "scratch", session) }),
    env: { PATH: process.env.PATH ?? "" },
    secrets: [],
    systemPrompt: async () => "You are a careful engineer.",
    tokens: (text) => Math.ceil(text.length / 4),
    limits: WINDOW_LIMITS,
    rules: () => ({ allow: [], deny: [] }),
    mode: "yolo",
    backtrack: true,
    maxSteps: 100,
    ...changes,
  }
  const host = makeHost(deps)
  return {
    root,
    home,
    host,
    parts: deps,
    elsewhere() {
      const other = makeHost({ ...deps, session: { ...deps.session, via: "command-line" } })
      onTestFinished(() => other.close())
      return other
    },
    open: async (id) => heard(id === undefined ? await host.create({ cwd: root }) : workIn(await host.open(id))),
    view: async (id) => heard(await host.open(id)),
  }

  function heard<Session extends HostSession>(session: Session) {
    opened.push(session)
    const events: HostEvent[] = []
    session.on(({ event }) => event.type !== "status" && events.push(event))
    return { session, events }
  }
}

export interface ScriptedAnswer {
  text?: string
  calls?: { name: string; input: Json; id?: string }[]
  /** By default what the request and the answer would cost at four characters a token, nothing cached. */
  usage?: Usage
  problem?: ModelProblem
  /** By default that it has said all, or calls tools. */
  finish?: FinishReason
  /** Says its text, and then nothing until it is stopped. */
  hangs?: true
}

export type Script = (request: StepRequest, n: number) => ScriptedAnswer | Promise<ScriptedAnswer>

export interface ScriptedModel extends Model {
  readonly requests: StepRequest[]
}

/** A model that does what a script says, and remembers what it was asked. */
export function scriptedModel(script: Script | ScriptedAnswer[], more: Partial<Model> = {}): ScriptedModel {
  const requests: StepRequest[] = []
  const next: Script = Array.isArray(script) ? (_, n) => script[n] ?? { text: "Nothing left to do." } : script
  return {
    id: "scripted/model",
    window: undefined,
    maxOutput: undefined,
    ...more,
    requests,
    async *step(request) {
      const n = requests.length
      requests.push({ ...request, messages: structuredClone(request.messages) })
      yield* eventsOf(await next(request, n), request, n)
    },
  }
}

async function* eventsOf(answer: ScriptedAnswer, request: StepRequest, n: number): AsyncGenerator<ModelEvent> {
  const content: Part[] = []
  if (answer.text !== undefined) {
    yield { type: "text-start" }
    yield { type: "text-delta", text: answer.text }
    yield { type: "text-end" }
    content.push({ type: "text", text: answer.text })
  }
  if (answer.hangs === true) await aborted(request.signal)
  if (answer.problem !== undefined) {
    yield { type: "failed", problem: answer.problem }
    return
  }
  for (const [i, { name, input, id }] of (answer.calls ?? []).entries()) {
    const call = id ?? `call-${n}-${i}`
    yield { type: "tool-call", call, name, input }
    content.push({ type: "tool-call", call, name, input })
  }
  const usage = answer.usage ?? { input: sizeOf(request.messages), output: sizeOf(content) }
  yield {
    type: "finish",
    reason: answer.finish ?? (answer.calls === undefined ? "stop" : "tool-calls"),
    content,
    usage,
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) settle()
    else signal.addEventListener("abort", () => settle(), { once: true })
  })
}

function sizeOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

/** All text that a request holds, tool traffic included. */
export function textOf(request: Pick<StepRequest, "messages"> | undefined): string {
  return (request?.messages ?? []).flatMap(({ content }) => content.map(partText)).join("\n")
}

function partText(part: Part): string {
  if (part.type === "text") return part.text
  return part.type === "tool-result" ? part.output : ""
}
