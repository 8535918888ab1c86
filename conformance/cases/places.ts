// Every place of a session that has more than prompts and answers in it: what hooks add, prompts typed while the agent
// works, parallel calls, a summary.
import type { Program } from "../programs/program.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"
import { NEXT, resumedAsShown } from "./reads.ts"

/** Returns what differs at the first place where something does. At least one place must be reached. */
async function differsSomewhere(stage: Stage, saved: string, hooked = ""): Promise<string | undefined> {
  stage.save(saved)
  const because = await resumedAsShown(stage, NEXT, hooked)
  if (because !== undefined) return `at its end: ${because}`
  stage.load(saved)
  let reached = 0
  for (const { id: entry, type, origin } of await stage.entries()) {
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
    "what a person's own hooks add to the conversation is in `retcon show --context`, at every place; the program resumes there, or retcon refuses",
  cannot: ({ stays, ownHooks, noOwnHooks }) => stays ?? (ownHooks === undefined ? noOwnHooks : undefined),
  async differs(stage) {
    stage.clear()
    const { program, place } = stage
    program.ownHooks?.(place, HOOK_TEXTS)
    await stage.ask("Hello.")
    await stage.ask("Write and list.", [
      { text: "Both.", calls: [id(program.write(`${place.work}/a.txt`, "a\n")), id(program.shell("echo listed"))] },
      { text: "Both are done." },
    ])
    await stage.ask("Thank you.")
    const texts = (await stage.context()).map(({ text }) => text).join("\n")
    const missing = Object.values(HOOK_TEXTS).find((text) => !texts.includes(text))
    if (missing !== undefined) return `the context does not have ${JSON.stringify(missing)}`
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
    await stage.inTerminal(async (terminal) => {
      await stage.typed(terminal, "Say something.")
      const [slow, meanwhile] = ["Do something slow.", "And this as well."]
      stage.model.script(slow, [{ text: "I wait.", calls: [id(program.shell(WAITS))] }, { text: "It is over." }])
      stage.model.script(meanwhile, [{ text: "Both are over." }])
      await terminal.type(slow)
      terminal.press("Enter")
      await terminal.sees("I wait.")
      await terminal.type(meanwhile)
      terminal.press("Enter")
      await terminal.sees(/Both are over\.|It is over\./)
      await stage.typed(terminal, "Say more.")
    })
    const said = (await stage.context()).find(({ text }) => text.includes("And this as well."))
    if (said === undefined) return "the context does not have the prompt that was typed meanwhile"
    return differsSomewhere(stage, "queued prompt")
  },
}

/** Long enough to type a prompt meanwhile. */
const WAITS = "sleep 6; echo waited"

function needsTerminal({ stays, typed }: Program): string | undefined {
  return stays ?? (typed === undefined ? "the cases do not type into its terminal" : undefined)
}

export const PLACES: readonly Case[] = [ownHooks, queuedPrompt]
