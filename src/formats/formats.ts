// Every format there is. The only place that knows them all.
import { pi } from "./pi/format.ts"
import type { Format } from "./port.ts"

export const FORMATS: readonly Format[] = [pi]
