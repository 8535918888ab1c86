// Receives what happens, for somebody who looks for a fault.
import type { JsonObject } from "./json.ts"

export type Trace = (what: JsonObject) => void
