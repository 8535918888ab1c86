// A tool call as the model wrote it, and as it can be made.
import type { Json } from "../../model/json.ts"
import type { Effects, Tool } from "../port/tool.ts"

export interface AnswerCall {
  call: string
  name: string
  input: Json
  /** Why the input could not be read. */
  invalid?: string
}

/** A call that can be made: its tool exists and its input is valid. */
export interface ReadyCall {
  call: AnswerCall
  tool: Tool
  input: unknown
  effects: Effects
}
