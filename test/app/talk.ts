// A scripted conversation with a host, and ways to look at it.
import type { HostEvent } from "../../src/protocol/event.ts"
import type { HostSession } from "../../src/protocol/host.ts"
import { makeTestHost, type Script, type ScriptedAnswer, scriptedModel } from "../test-host.ts"

/** A host whose model says these answers, one after the other. */
export function talk(answers: ScriptedAnswer[] | Script, changes: Parameters<typeof makeTestHost>[0] = {}) {
  const model = scriptedModel(answers)
  const at = makeTestHost({ model: async () => model, ...changes })
  return { ...at, model }
}

/** Resolves with the first event that fits. */
export function until(session: HostSession, fits: (event: HostEvent) => boolean): Promise<HostEvent> {
  return new Promise((settle) => {
    const forget = session.on(({ event }) => {
      if (!fits(event)) return
      forget()
      settle(event)
    })
  })
}

export function bash(command: string): ScriptedAnswer {
  return { calls: [{ name: "Bash", input: { command } }] }
}

/** The roles of the path, and the calls and results in it. */
export async function shape(session: HostSession): Promise<string[]> {
  return (await session.context()).map(({ role, content }) => {
    const parts = content.map((part) => (part.type === "tool-result" && part.error ? "error" : part.type))
    return `${role}: ${parts.join(" ")}`
  })
}
