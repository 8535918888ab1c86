// What the hook program does, with JSON about the moment on its standard input.
import { randomBytes, randomFillSync } from "node:crypto"
import { homedir } from "node:os"
import { text } from "node:stream/consumers"
import { readConfig } from "../../app/config/config-file.ts"
import { configFile, homeFolder } from "../../app/config/home.ts"
import { personIgnore } from "../../app/config/person-ignore.ts"
import { readWorkspaceSettings } from "../../app/config/workspace-settings.ts"
import { noteHookProblem } from "../../app/protection/hook-problems.ts"
import { hooksOf } from "../../hooks/all-hooks.ts"
import type { AgentHooks, HookEvent } from "../../hooks/port.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { makeIds } from "../../model/id.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { openGitWorkspace } from "../../workspace/git/git-workspace.ts"
import { recordEvent } from "./record-event.ts"

/** The first snapshot of a large folder takes a while; after this, it is given up. */
const MOST_MS = 25_000

const home = homeFolder(process.env, process.platform, homedir())

/** Contract: prints nothing, always exits with 0, and in time: an agent must not fail or wait because of it. */
export async function runHook(agent: string): Promise<void> {
  const end = (problem?: string) => {
    if (problem !== undefined) noteHookProblem(home, { at: new Date().toISOString(), agent, problem })
    process.exit(0)
  }
  setTimeout(() => end(`It took longer than ${MOST_MS / 1000} seconds, so retcon gave up.`), MOST_MS)
  try {
    await record(agent)
    end()
  } catch (error) {
    end(error instanceof RetconError ? wordsFor(error.failure).message : String(error))
  }
}

async function record(agent: string): Promise<void> {
  const hooks = hooksOf(agent)
  const input = parseJson(await text(process.stdin))
  if (hooks === undefined) throw new Error(`"${agent}" is not an agent that retcon has hooks for.`)
  if (!input.ok || !isObject(input.value)) throw new Error("Its input is not a JSON object.")
  const event = hooks.read(input.value)
  if (event === undefined) return
  if (event.moment === "keep") await keepTranscript(hooks, event)
  else await recordEvent(hooks, event, { home, now: () => Date.now(), ids: makeIds(source()), openWorkspace })
}

function source() {
  return { now: () => Date.now(), random: (bytes: Uint8Array) => void randomFillSync(bytes) }
}

function openWorkspace({ root, store, session }: { root: string; store: string | undefined; session: string }) {
  const { settings } = readWorkspaceSettings(readConfig(configFile(home)))
  return openGitWorkspace({
    root,
    settings,
    home,
    session,
    store,
    clock: () => Date.now(),
    newId: () => randomBytes(8).toString("hex"),
    ...(process.env.HOME === undefined ? {} : { personHome: process.env.HOME }),
    ...personIgnore(process.env),
  })
}

async function keepTranscript({ agent: name }: AgentHooks, { transcript }: HookEvent): Promise<void> {
  if (transcript === undefined) return
  const { keepSession } = await import("./keep-session.ts")
  await keepSession(name, transcript, { home, homes: { home: homedir(), env: process.env }, now: () => Date.now() })
}
