// Moves into the middle of a round: onto a call, and onto its result.
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse } from "./conversation.ts"
import { resumedAsShown } from "./reads.ts"

export const middleOfRound: Case = {
  name: "middle of a round",
  means:
    "after `retcon goto` to a call, to its result and to the next call, the program resumes as retcon shows, or retcon refuses because the program cannot continue from there",
  async differs(stage) {
    await converse(stage)
    if (stage.program.stays === true) await stage.move("back")
    for (const [name, entry] of await targets(stage)) {
      await converse(stage)
      const refused = await stage.refuses("goto", entry)
      if (refused) continue
      await stage.move("goto", entry)
      const because = await resumedAsShown(stage)
      if (because !== undefined) return `${name}: ${because}`
    }
    return undefined
  },
}

/** In the second round, which has two consecutive calls. */
async function targets(stage: Stage): Promise<[string, string][]> {
  const entries = await stage.entries()
  const prompts = entries.flatMap(({ origin }, index) => (origin === "prompt" ? [index] : []))
  const round = entries.slice(prompts[1], prompts[2])
  const calls = round.filter(({ content }) => content?.some(({ type }) => type === "tool-call"))
  const result = round.find(({ content }) => content?.some(({ type }) => type === "tool-result"))
  const found = { "a call": calls[0], "its result": result, "the next call": calls[1] }
  return Object.entries(found).map(([name, entry]) => [name, entry?.id ?? ""])
}
