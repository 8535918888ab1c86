// Receives what happens, for someone tracking down a fault.
import type { JsonObject } from "./json.ts"

export type Trace = (what: JsonObject) => void
