// A tool call of the model, as it was said and as it may be made.
import type { Json } from "../../model/json.ts"
import type { Effects, Tool } from "../port/tool.ts"

export interface AnswerCall {
  call: string
  name: string
  input: Json
  /** Why the input could not be read. */
  invalid?: string
}

/** A call that may be made: its tool is there and its input fits. */
export interface ReadyCall {
  call: AnswerCall
  tool: Tool
  input: unknown
  effects: Effects
}
