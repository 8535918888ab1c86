// A request in progress: its steps so far, and what can be called next.
import { isObject, type Json } from "../../model/json.ts"
import type { Request } from "./request.ts"

export interface PlannedCall {
  name: string
  input: Json
  /** Why the input is not usable, if the person asked for such a call. */
  invalid?: string
}

/** A call that was made, and its outcome. */
export interface MadeCall extends PlannedCall {
  call: string
  output?: string
  error?: boolean
}

export interface RequestWork {
  request: Request
  steps: MadeCall[][]
  /** The last checkpoint shown before its first step. */
  checkpoint?: number
  /** The note that came back from a backtrack. */
  note?: string
}

export interface Script {
  work: RequestWork
  /** The checkpoint to go back to. */
  checkpoint: number | undefined
  tools: ReadonlySet<string>
}

/** A field of a call's input, if it is a string. */
export function textField(call: PlannedCall, name: string): string | undefined {
  const value = isObject(call.input) ? call.input[name] : undefined
  return typeof value === "string" ? value : undefined
}
