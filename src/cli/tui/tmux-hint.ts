// How to make tmux distinguish Shift+Enter from Enter.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { findProgram } from "../../programs/find-program.ts"

type Env = Readonly<Record<string, string | undefined>>

const run = promisify(execFile)

/** Undefined outside tmux, if it already does, or if it is too old to ask. */
export async function tmuxHint(env: Env, cwd: string): Promise<string | undefined> {
  if (env.TMUX === undefined || env.TMUX === "") return undefined
  const tmux = findProgram("tmux", { path: env.PATH, workspace: cwd })
  if (tmux === undefined) return undefined
  const options = { env: env as NodeJS.ProcessEnv, timeout: 2_000 }
  const answer = await run(tmux, ["show-options", "-sv", "extended-keys"], options).catch(() => undefined)
  if (answer?.stdout.trim() !== "off") return undefined
  return "This tmux cannot tell Shift+Enter from Enter. To fix that: tmux set -s extended-keys on (Alt+Enter always works)"
}
