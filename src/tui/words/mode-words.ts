// What the agent may do without asking.
import type { Mode } from "../../protocol/shapes.ts"

export type { Mode }

export const MODES: readonly Mode[] = ["default", "autoEdit", "yolo"]

export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  default: "asks before it changes a file or runs a command",
  autoEdit: "changes files by itself, asks before it runs a command",
  yolo: "changes files and runs commands without asking",
}

export function parseMode(name: string): Mode | undefined {
  return MODES.find((mode) => mode.toLowerCase() === name.toLowerCase())
}

export function nextMode(mode: Mode): Mode {
  return MODES[(MODES.indexOf(mode) + 1) % MODES.length] ?? "default"
}
