// A person's own command (`!cmd`): runs at once, shows its output as it comes, and goes to the model with the next prompt.
import { keepOutput } from "../../agent/process/kept-output.ts"
import { runCommand } from "../../agent/process/run-command.ts"
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { EntryDraft } from "../../session/state/draft.ts"

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

function outcome(ended: Awaited<ReturnType<typeof runCommand>["ended"]>): string {
  if (ended.how === "exit") return ended.code === 0 ? "" : `\n(exit code ${ended.code})`
  return ended.how === "signal" ? `\n(ended by ${ended.signal})` : `\n(it could not be started: ${ended.problem})`
}
