// A person's own command (`!cmd`): runs at once, shows its output as it comes, and goes to the model with the next prompt.
import { setTimeout } from "node:timers/promises"
import { keepOutput } from "../../agent/process/kept-output.ts"
import { runCommand } from "../../agent/process/run-command.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { Session } from "../../session/session.ts"
import type { EntryDraft } from "../../session/state/draft.ts"
import { warning } from "../port/notice.ts"
import type { Running } from "./running.ts"

/** The most bytes of output to give the model. Longer output goes to a file. */
const LIMIT = 30_000

export interface ShellOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  /** Where to put output that is too long. */
  file: string
  signal: AbortSignal
  emit: (event: HostEvent) => void
  /** Identifies it in events, because several may run at once. */
  call: string
}

/** Returns what to record. Contract: ends soon after `signal` aborts, with the output so far. */
export async function runShell({ command, cwd, env, file, signal, emit, call }: ShellOptions): Promise<EntryDraft> {
  const kept = keepOutput({ file, limit: LIMIT })
  const decoder = new TextDecoder()
  emit({ type: "tool-start", call, name: OWN_COMMAND, title: command, input: command })
  const running = runCommand({
    command,
    cwd,
    env,
    onOutput(bytes) {
      kept.add(bytes)
      emit({ type: "tool-delta", call, text: decoder.decode(bytes, { stream: true }) })
    },
  })
  if (signal.aborted) running.kill()
  signal.addEventListener("abort", running.kill, { once: true })
  const ended = await running.ended
  signal.removeEventListener("abort", running.kill)
  kept.close()
  const failed = ended.how !== "exit" || ended.code !== 0
  const output = `${kept.text().replace(/\n$/, "")}${outcome(ended)}`
  emit({ type: "tool-end", call, name: OWN_COMMAND, output: output.replace(/^\n/, ""), error: failed, files: [] })
  const text = `<system>The user ran this command themselves:</system>\n$ ${command}\n${output}`
  return { type: "message", role: "user", origin: "shell", content: [{ type: "text", text }], display: `!${command}` }
}

interface Recording {
  session: Session
  running: Pick<Running, "idle" | "during">
  emit: (event: HostEvent) => void
}

/** How often to look whether the turn of another process has ended. */
const LOOK_MS = 200

/**
 * Contract: records it once, between turns: it waits for the end of one that runs here or in another process. Throws if the person
 * does not want to wait, and says that it was not recorded.
 */
export async function recordCommand({ session, running, emit }: Recording, draft: EntryDraft): Promise<EntryId> {
  for (let told = false; ; told = true) {
    await running.idle()
    try {
      const [entry] = await session.append(draft, { durable: true, between: "turns" })
      return entry as EntryId
    } catch (error) {
      if (!(error instanceof RetconError) || error.failure.code !== "session-busy") throw error
      const { pid } = error.failure
      const other = `process ${pid} is running a turn in this session`
      if (!told && pid > 0) emit(warning(`The output is recorded later: ${other}.`))
      if (
        await running.during((signal) => stoppedBefore(() => session.log.lease.holder() === undefined, signal), "own")
      )
        throw notRecorded(other)
    }
  }
}

/** Whether the signal came first. */
async function stoppedBefore(isOver: () => boolean, signal: AbortSignal): Promise<boolean> {
  do await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted && !isOver())
  return signal.aborted
}

function notRecorded(other: string): RetconError {
  const problem = `The command ran, but its output was not recorded: ${other}.`
  return new RetconError({ code: "invalid", problem, advice: "To show it to the agent, run the command again later." })
}

function outcome(ended: Awaited<ReturnType<typeof runCommand>["ended"]>): string {
  if (ended.how === "exit") return ended.code === 0 ? "" : `\n(exit code ${ended.code})`
  return ended.how === "signal" ? `\n(ended by ${ended.signal})` : `\n(it could not be started: ${ended.problem})`
}
