// Every program to check, in the order of the table.
import { claudeCode, claudeLatest, claudeSdk } from "./claude-code.ts"
import { codex, codexLatest } from "./codex.ts"
import { geminiCli } from "./gemini-cli.ts"
import { kimiCode } from "./kimi-code.ts"
import { opencode } from "./opencode.ts"
import { pi } from "./pi.ts"
import type { Program } from "./program.ts"
import { qwenCode } from "./qwen-code.ts"

export const PROGRAMS: readonly Program[] = [
  claudeCode,
  claudeLatest,
  claudeSdk,
  codex,
  codexLatest,
  geminiCli,
  kimiCode,
  opencode,
  pi,
  qwenCode,
]
