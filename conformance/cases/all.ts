// Every case, in the order of the table.
import type { Case } from "./case.ts"
import { exported, exportedImage, split } from "./exports.ts"
import { HARD_MOVES } from "./hard-moves.ts"
import { MOVES } from "./moves.ts"
import { compaction, prompts, reads } from "./reads.ts"

export const CASES: readonly Case[] = [
  reads,
  prompts,
  compaction,
  exported,
  exportedImage,
  split,
  ...MOVES,
  ...HARD_MOVES,
]
