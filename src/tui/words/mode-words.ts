// What the agent may do without asking.
import { PERMISSION_MODES, type PermissionMode } from "../../model/permission-mode.ts"

export const MODE_WORDS: Readonly<Record<PermissionMode, string>> = {
  plan: "only reads: it changes no file and runs no command",
  default: "asks before it changes a file or runs a command",
  autoEdit: "changes files by itself, asks before it runs a command",
  yolo: "changes files and runs commands without asking",
}

export function parseMode(name: string): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode.toLowerCase() === name.toLowerCase())
}

export function nextMode(mode: PermissionMode): PermissionMode {
  return PERMISSION_MODES[(PERMISSION_MODES.indexOf(mode) + 1) % PERMISSION_MODES.length] ?? "default"
}
