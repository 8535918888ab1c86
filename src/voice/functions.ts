// The functions that a voice model may call, and the actions they stand for.
import { isObject, type Json } from "../model/json.ts"
import type { VoiceAction } from "./action.ts"
import type { LiveCall } from "./live-model.ts"

export interface VoiceFunction {
  name: VoiceAction["do"]
  description: string
  /** As JSON Schema. */
  parameters: { type: "object"; properties: { [name: string]: Json }; required: string[] }
}

export const VOICE_FUNCTIONS: readonly VoiceFunction[] = [
  declare("converse", "Sends a message to the coding agent, in the person's words.", { text: { type: "string" } }, [
    "text",
  ]),
  declare("go_back", "Takes the conversation back by one round, or by several.", {
    rounds: { type: "integer", minimum: 1 },
  }),
  declare("redo", "Goes forward again after going back."),
  declare("stop", "Stops the coding agent."),
  declare("approve", "Answers the permission request that the agent is waiting for.", { yes: { type: "boolean" } }, [
    "yes",
  ]),
]

export const VOICE_INSTRUCTIONS = [
  "You are the voice of a coding agent. The person speaks to you; the agent works on their files.",
  "Pass every request about code on to the agent with `converse`, word for word; do not answer it yourself.",
  "Call `go_back`, `redo`, `stop` or `approve` only when the person asks for exactly that, and say what happened in one short sentence, even if it was refused.",
  "When the agent asks for permission, read out what it wants to do and wait for a clear yes or no.",
].join(" ")

/** Undefined if the function is unknown or an argument is missing. */
export function actionOf({ name, input }: LiveCall): VoiceAction | undefined {
  switch (name) {
    case "converse":
      return typeof input.text === "string" && input.text.trim() !== ""
        ? { do: "converse", text: input.text }
        : undefined
    case "go_back": {
      const rounds = input.rounds ?? 1
      return typeof rounds === "number" && Number.isInteger(rounds) && rounds > 0
        ? { do: "go_back", rounds }
        : undefined
    }
    case "redo":
    case "stop":
      return { do: name }
    case "approve":
      return typeof input.yes === "boolean" ? { do: "approve", yes: input.yes } : undefined
    default:
      return undefined
  }
}

export function inputOf(value: unknown): LiveCall["input"] {
  return isObject(value) ? value : {}
}

function declare(
  name: VoiceAction["do"],
  description: string,
  properties: { [name: string]: Json } = {},
  required: string[] = [],
): VoiceFunction {
  return { name, description, parameters: { type: "object", properties, required } }
}
