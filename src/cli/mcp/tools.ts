// The tools, in the order in which they are listed.
import { changes } from "./changes.ts"
import { checkpoint } from "./checkpoint.ts"
import { note } from "./note.ts"
import type { ServerTool } from "./port.ts"
import { read } from "./read.ts"
import { restore } from "./restore.ts"
import { search } from "./search.ts"

export const TOOLS: readonly ServerTool[] = [checkpoint, changes, restore, search, read, note]
