// Waiting notes, for a person to see before an agent does.
import { type FolderNote, waitingNotes } from "../../app/notes/folder-notes.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { ago } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"

const LONGEST = 300

/** Those of this folder. An unreadable file of notes is no reason to fail. */
export function waitingNoteLines(cli: Pick<Cli, "home" | "cwd" | "now">): string[] {
  try {
    return waitingNotes(cli).map((note) => noteLine(note, cli.now()))
  } catch {
    return []
  }
}

function noteLine({ by, at, text }: FolderNote, now: number): string {
  const who = by === undefined ? "an agent" : agentTitle(by)
  return `Note for the next agent, left by ${who} ${ago(at, now)}: ${clip(sanitiseLine(text), LONGEST)}`
}
