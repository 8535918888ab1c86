// Claude Code, started anew for each prompt: nobody can be asked, and what it was denied is said at the end.
import { isObject, parseJson } from "../../model/json.ts"
import { type Child, startChild } from "../child.ts"
import type { LiveAgent, OpenAgent, ProgramEnd } from "../port.ts"
import { type ClaudeProgramOptions, claudeArguments, endWords, failureWords } from "./launch.ts"
import { claudeStream, type StreamEnd } from "./stream.ts"

export function oneShot({ program, env, newId }: ClaudeProgramOptions, request: OpenAgent): LiveAgent {
  const session = request.session?.id ?? newId()
  let begun = request.session !== undefined
  let running: { child: Child; stopped: boolean; ended: Promise<unknown> } | undefined
  let release = () => {}
  const gone = new Promise<void>((settle) => (release = settle))

  async function prompt(text: string): Promise<ProgramEnd> {
    let end: StreamEnd | undefined
    const read = claudeStream(request.told, (said) => (end = said))
    const resumed = { id: session, file: "", resume: ["--resume", session] }
    const words = claudeArguments(begun ? { ...request, session: request.session ?? resumed } : request, session)
    begun = true
    const line = (text: string) => {
      const parsed = parseJson(text)
      if (parsed.ok && isObject(parsed.value)) read(parsed.value)
    }
    const child = startChild({ command: [program, ...words], cwd: request.cwd, env, line })
    const current = { child, stopped: false, ended: child.gone }
    running = current
    child.finish(text)
    const over = await child.gone
    await child.end()
    running = undefined
    const denied = end?.denied ?? []
    if (current.stopped) return { outcome: "stopped", denied }
    if (end?.ok === true) return { outcome: "done", denied }
    return { outcome: "failed", message: end?.message ? failureWords(end.message) : endWords(over), denied }
  }

  async function stop(): Promise<number[]> {
    if (running === undefined) return []
    running.stopped = true
    const { ended } = await running.child.end()
    await running?.ended
    return [...ended]
  }

  return {
    session,
    offers: { images: false, files: false, steer: false, modes: [], models: [], efforts: [], commands: [] },
    prompt: ({ text }) => prompt(text),
    steer: async () => false,
    stop: async () => void (await stop()),
    choose: async () => undefined,
    async release() {
      const ended = await stop()
      release()
      return { ended }
    },
    gone,
  }
}
