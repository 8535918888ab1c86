// Commands of the person in a copy, such as a check: confined as those of the agent are.
import { runCommand } from "../../agent/process/run-command.ts"
import type { SessionId } from "../../model/id.ts"
import type { CheckResult } from "../../protocol/explore.ts"
import type { HostDeps } from "../port/host-deps.ts"

const LONGEST_MS = 10 * 60_000
const MOST_OUTPUT = 4_000

/** What commands in a copy need. */
export type CommandDeps = Pick<HostDeps, "sandbox" | "workRoot" | "env">

export interface InCopy {
  folder: string
  session: SessionId
  label: string
  signal: AbortSignal
}

/** Contract: never throws. No process of it that can be found outlives it. */
export async function runInCopy(deps: CommandDeps, command: string, at: InCopy): Promise<CheckResult> {
  const sandbox = deps.sandbox?.(deps.workRoot(at.folder, at.session), () => "yolo")
  const confined = (await sandbox?.confine()) ?? { how: "open" as const }
  const own = { ...deps.env, RETCON_ATTEMPT: at.label }
  const decoder = new TextDecoder()
  let output = ""
  try {
    if (confined.how === "refused") return { command, code: null, output: confined.problem }
    const how = confined.how === "open" ? { env: own } : { env: confined.env(own), confine: confined.words }
    const running = runCommand({
      command,
      cwd: at.folder,
      ...how,
      onOutput: (bytes) => {
        output = (output + decoder.decode(bytes, { stream: true })).slice(-MOST_OUTPUT)
      },
    })
    const late = setTimeout(running.kill, LONGEST_MS)
    if (at.signal.aborted) running.kill()
    at.signal.addEventListener("abort", running.kill, { once: true })
    const ended = await running.ended
    clearTimeout(late)
    at.signal.removeEventListener("abort", running.kill)
    if (ended.how === "exit") return { command, code: ended.code, output }
    const why = ended.how === "failed" ? ended.problem : `It was ended by ${ended.signal}.`
    return { command, code: null, output: `${output}\n${why}`.trim() }
  } finally {
    sandbox?.close()
  }
}

/** Whether commands in a copy see it in the place of the folder; why not, in words that complete "because". */
export async function isHeld(deps: CommandDeps, folder: string, session: SessionId): Promise<true | string> {
  const sandbox = deps.sandbox?.(deps.workRoot(folder, session), () => "yolo")
  if (sandbox === undefined) return "this machine has no sandbox"
  try {
    const { how } = await sandbox.confine()
    if (how === "confined") return true
    const state = await sandbox.state()
    return state?.state === "none" ? state.because : "this machine has no sandbox"
  } finally {
    sandbox.close()
  }
}
