// What the hook program does, with JSON about the moment on its standard input.
import { hooksOf } from "../../hooks/all-hooks.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { makeIds } from "../../model/id.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { openGitWorkspace } from "../../workspace/git/git-workspace.ts"
import { readConfig } from "../config/config-file.ts"
import { configFile, homeFolder } from "../config/home.ts"
import { personIgnore } from "../config/person-ignore.ts"
import { readWorkspaceSettings } from "../config/workspace-settings.ts"
import { noteHookProblem } from "../protection/hook-problems.ts"
import { recordEvent } from "./record-event.ts"

/** The first snapshot of a large folder takes a while; after this, it is given up. */
const MOST_MS = 25_000

/** The process that runs the hook. */
export interface HookProcess {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The person's home folder. */
  person: string
  now: () => number
  random: (bytes: Uint8Array) => void
  /** A name that nothing else has. */
  newName: () => string
  /** What the agent reports. */
  read: () => Promise<string>
  end: () => void
}

/** Contract: prints nothing and always ends, in time: an agent must not fail or wait because of it. */
export async function runHook(agent: string, at: HookProcess): Promise<void> {
  const end = (problem?: string) => {
    const home = homeFolder(at.env, at.platform, at.person)
    if (problem !== undefined) noteHookProblem(home, { at: new Date(at.now()).toISOString(), agent, problem })
    at.end()
  }
  setTimeout(() => end(`It took longer than ${MOST_MS / 1000} seconds, so retcon gave up.`), MOST_MS)
  try {
    await record(agent, at)
    end()
  } catch (error) {
    end(error instanceof RetconError ? wordsFor(error.failure).message : String(error))
  }
}

async function record(
  agent: string,
  { env, platform, person, now, random, newName, read }: HookProcess,
): Promise<void> {
  const hooks = hooksOf(agent)
  const input = parseJson(await read())
  if (hooks === undefined) throw new Error(`"${agent}" is not an agent that retcon has hooks for.`)
  if (!input.ok || !isObject(input.value)) throw new Error("Its input is not a JSON object.")
  const event = hooks.read(input.value)
  if (event === undefined) return
  const home = homeFolder(env, platform, person)
  if (event.moment === "keep") {
    if (event.transcript === undefined) return
    const { keepSession } = await import("./keep-session.ts")
    return keepSession(hooks.agent, event.transcript, { home, homes: { home: person, env }, now })
  }
  const ids = makeIds({ now, random })
  await recordEvent(hooks, event, {
    home,
    now,
    ids,
    openWorkspace: (place) =>
      openGitWorkspace({
        ...place,
        settings: readWorkspaceSettings(readConfig(configFile(home))).settings,
        home,
        clock: now,
        newId: newName,
        ...(env.HOME === undefined ? {} : { personHome: env.HOME }),
        ...personIgnore(env),
      }),
  })
}
