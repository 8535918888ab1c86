// Every place of a session that has more than prompts and answers in it: what hooks add, prompts typed while the agent
// works, parallel calls, a summary.
import type { Program } from "../programs/program.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { NEXT, resumedAsShown } from "./reads.ts"
import { SlowCommand } from "./slow-command.ts"

/** Returns what differs at the first place where something does. At least one place must be reached. */
export async function differsSomewhere(stage: Stage, saved: string, hooked = ""): Promise<string | undefined> {
  stage.save(saved)
  const because = await resumedAsShown(stage, NEXT, hooked)
  if (because !== undefined) return `at its end: ${because}`
  if (stage.program.stays !== undefined) return undefined
  stage.load(saved)
  let reached = 0
  const entries = await stage.entries()
  for (const [at, { id: entry, type, origin }] of entries.entries()) {
    // Of entries in a row that the model does not get, the last is enough.
    if (type !== "message" && entries[at + 1]?.type === type) continue
    stage.load(saved)
    if (await stage.refuses("goto", entry)) continue
    reached++
    await stage.move("goto", entry)
    const differs = await resumedAsShown(stage, NEXT, hooked)
    if (differs !== undefined) return `at the ${origin ?? type} ${entry}: ${differs}`
  }
  return reached === 0 ? "every place is refused" : undefined
}

const ownHooks: Case = {
  name: "own hooks",
  means:
    "what a person's own hooks add to the conversation is in `retcon show --context` if the program sends it again, at every place; the program resumes there, or retcon refuses",
  async differs(stage) {
    stage.clear()
    const { program, place } = stage
    program.ownHooks(place, HOOK_TEXTS)
    await stage.ask("Hello.")
    await stage.ask("Write and list.", [
      { text: "Both.", calls: [id(program.write(`${place.work}/a.txt`, "a\n")), id(program.shell("echo listed"))] },
      { text: "Both are done." },
    ])
    await stage.ask("Thank you.")
    const { hooksSay = ["start", "prompt", "tool"] } = program
    const missing = hooksSay.map((when) => HOOK_TEXTS[when]).find((text) => !stage.model.heard(text))
    if (missing !== undefined) return `no hook has said ${JSON.stringify(missing)}`
    return differsSomewhere(stage, "own hooks", "A hook saw")
  },
}

const HOOK_TEXTS = { start: "A hook saw the start.", prompt: "A hook saw the prompt.", tool: "A hook saw the call." }

const queuedPrompt: Case = {
  name: "queued prompt",
  means:
    "a prompt typed while the agent works is read as the program sends it, and at every place around it the program resumes, or retcon refuses",
  cannot: needsTerminal,
  async differs(stage) {
    stage.clear()
    const { program } = stage
    await stage.inTerminal(async (terminal, { ready, queued = ready }) => {
      await stage.typed(terminal, "Say something.")
      const [slow, meanwhile] = [new SlowCommand(stage), "And this as well."]
      const calls = [id(program.shell(slow.text("echo waited")))]
      stage.model.script(meanwhile, [{ text: "Both are over." }])
      await stage.enter(terminal, "Do something slow.", [{ text: "I wait.", calls }, { text: "It is over." }])
      await slow.begun()
      await terminal.type(meanwhile)
      terminal.press("Enter")
      await terminal.glimpses(queued)
      slow.end()
      await terminal.sees(/Both are over\.|It is over\./)
      await stage.typed(terminal, "Say more.")
    })
    const said = (await stage.context()).find(({ text }) => text.includes("And this as well."))
    if (said === undefined) return "the context does not have the prompt that was typed meanwhile"
    return differsSomewhere(stage, "queued prompt")
  },
}

export function needsTerminal({ typed }: Program): string | undefined {
  return typed === undefined ? "the cases do not type into its terminal" : undefined
}

export const PLACES: readonly Case[] = [ownHooks, queuedPrompt]
