// All formats, by name. The only file that imports every one of them.
import { claudeCode } from "../claude-code/format.ts"
import { codex } from "../codex/format.ts"
import { geminiCli } from "../gemini-cli/format.ts"
import { kimiCli } from "../kimi-cli/format.ts"
import { kimiCode } from "../kimi-code/format.ts"
import { klaudeCode } from "../klaude-code/format.ts"
import { neovate } from "../neovate/format.ts"
import { opencode } from "../opencode/format.ts"
import { pi } from "../pi/format.ts"
import type { Format } from "../port.ts"

export const FORMATS: readonly Format[] = [
  claudeCode,
  codex,
  geminiCli,
  kimiCli,
  kimiCode,
  klaudeCode,
  neovate,
  opencode,
  pi,
]
