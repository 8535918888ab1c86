// What an agent's own program lets a person choose, and its slash commands, in its own words.

export interface Offers {
  /** Whether a prompt may have images, and other files. */
  images: boolean
  files: boolean
  /** Whether it takes a message while it works. */
  steer: boolean
  modes: readonly OfferedChoice[]
  models: readonly OfferedChoice[]
  efforts: readonly OfferedChoice[]
  commands: readonly OfferedCommand[]
  /** What is set now, if it says so. */
  mode?: string
  model?: string
  effort?: string
}

export interface OfferedChoice {
  id: string
  name: string
  about?: string
}

/** Without the slash. `hint`: what may follow it. */
export interface OfferedCommand {
  name: string
  about: string
  hint?: string
}

export const CHOICES = ["mode", "model", "effort"] as const
export type AgentChoice = (typeof CHOICES)[number]

/** Those that it offers for a choice. */
export function offeredFor(offers: Offers, choice: AgentChoice): readonly OfferedChoice[] {
  return offers[`${choice}s`]
}

/** By its id, or by its name in any case. Undefined: the program offers no such thing. */
export function offeredAs(offers: Offers, choice: AgentChoice, typed: string): OfferedChoice | undefined {
  const all = offeredFor(offers, choice)
  return all.find(({ id }) => id === typed) ?? all.find(({ name }) => name.toLowerCase() === typed.toLowerCase())
}
