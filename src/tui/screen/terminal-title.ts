// The title of the terminal's window: which folder, and whether the agent is working or waiting.
import { basename } from "node:path"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"

/** Saves the previous title, and restores it. */
export const TITLE = { save: "\u001b[22;2t", restore: "\u001b[23;2t" } as const

const MOST = 60

export type Doing = "idle" | "works" | "asks"

export function terminalTitle(cwd: string, doing: Doing): string {
  const sign = doing === "works" ? "● " : doing === "asks" ? "? " : ""
  return `\u001b]2;${sign}${clip(sanitiseLine(basename(cwd)), MOST)} · retcon\u0007`
}
