// A person's own command (`!cmd`): run at once, shown to them as it prints, and to the model with the next prompt.
import { keepOutput } from "../agent/process/kept-output.ts"
import { runCommand } from "../agent/process/run-command.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { EntryDraft } from "../session/state/draft.ts"

/** Bytes of output that the model gets. All of it is in a file then. */
const LIMIT = 30_000

export interface ShellOptions {
  command: string
  cwd: string
  env: Readonly<Record<string, string>>
  /** For output that is too long. */
  file: string
  signal: AbortSignal
  emit: (event: HostEvent) => void
  /** Names it in events: several may run at once. */
  call: string
}

/** What is to be recorded. Contract: ends soon after `signal` aborts, with what was printed until then. */
export async function runShell({ command, cwd, env, file, signal, emit, call }: ShellOptions): Promise<EntryDraft> {
  const kept = keepOutput({ file, limit: LIMIT })
  const decoder = new TextDecoder()
  emit({ type: "tool-start", call, name: "!", title: command, input: command })
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
  emit({ type: "tool-end", call, name: "!", output: output.replace(/^\n/, ""), error: failed, files: [] })
  const text = `<system>The user ran this command themselves:</system>\n$ ${command}\n${output}`
  return { type: "message", role: "user", origin: "shell", content: [{ type: "text", text }], display: `!${command}` }
}

function outcome(ended: Awaited<ReturnType<typeof runCommand>["ended"]>): string {
  if (ended.how === "exit") return ended.code === 0 ? "" : `\n(exit code ${ended.code})`
  return ended.how === "signal" ? `\n(ended by ${ended.signal})` : `\n(it could not be started: ${ended.problem})`
}
