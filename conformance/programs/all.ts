// Every program that is asked, in the order of the table.
import { claudeCode, claudeSdk } from "./claude-code.ts"
import type { Program } from "./program.ts"

export const PROGRAMS: readonly Program[] = [claudeCode, claudeSdk]
