// Every case, in the order of the table.
import type { Case } from "./case.ts"
import { COMES_BACK } from "./comes-back.ts"
import { exported, exportedImage, exportedOdd, split } from "./exports.ts"
import { FEATURES } from "./features.ts"
import { filesOfHooks } from "./files.ts"
import { HARD_MOVES } from "./hard-moves.ts"
import { killedMove } from "./killed.ts"
import { mcpTools } from "./mcp.ts"
import { middleOfRound } from "./middle.ts"
import { MOVES } from "./moves.ts"
import { PLACES } from "./places.ts"
import { compaction, forgotten, prompts, reads, undone } from "./reads.ts"
import { SERVED } from "./served.ts"
import { TYPED } from "./typed.ts"

export const CASES: readonly Case[] = [
  reads,
  prompts,
  forgotten,
  undone,
  compaction,
  exported,
  exportedImage,
  exportedOdd,
  split,
  ...MOVES,
  ...HARD_MOVES,
  middleOfRound,
  filesOfHooks,
  ...COMES_BACK,
  killedMove,
  ...TYPED,
  ...PLACES,
  ...FEATURES,
  mcpTools,
  ...SERVED,
]
