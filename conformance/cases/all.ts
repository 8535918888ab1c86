// Every case, in the order of the table.
import type { Case } from "./case.ts"
import { exported, exportedImage } from "./exports.ts"
import { compaction, prompts, reads } from "./reads.ts"

export const CASES: readonly Case[] = [reads, prompts, compaction, exported, exportedImage]
