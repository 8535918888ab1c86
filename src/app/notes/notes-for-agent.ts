// Waiting notes as text for an agent that starts working in a folder.
import { agentTitle } from "../../model/agent-title.ts"
import { inert } from "../../model/text/inert.ts"
import { sanitise } from "../../model/text/sanitise.ts"
import { type FolderNote, waitingNotes } from "./folder-notes.ts"

export interface NotesText {
  text: string
  /** The notes included. */
  notes: FolderNote[]
}

/** As many as fit after `text`, oldest first. Contract: never fails, because then the agent could not start. */
export function withNotes(folder: { home: string; cwd: string }, text: string, mostBytes: number): NotesText {
  const notes: FolderNote[] = []
  let whole = text
  for (const note of waiting(folder)) {
    const next = `${whole}\n\n${noteText(note)}`
    if (Buffer.byteLength(next) > mostBytes) break
    whole = next
    notes.push(note)
  }
  return { text: whole, notes }
}

function waiting(folder: { home: string; cwd: string }): FolderNote[] {
  try {
    return waitingNotes(folder)
  } catch {
    return []
  }
}

/** Says who it is from: these are not the person's words. */
function noteText({ by, at, text }: FolderNote): string {
  const who = by === undefined ? "an agent" : agentTitle(by)
  const when = at.slice(0, 16).replace("T", " ")
  return `Note that ${who} left here on ${when} (from an earlier session, not from the person):\n${inert(sanitise(text))}`
}
