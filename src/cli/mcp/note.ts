// note {text}: for the next session in this folder, or for the same one after a rewind.
import { leaveNote, type NotesDeps, notesOf } from "../../app/notes/folder-notes.ts"
import { type McpContext, type ServerTool, ToolProblem } from "./port.ts"

/** In characters: it becomes part of the next session's instructions. */
export const LONGEST_NOTE = 2000

export const note: ServerTool<{ text: string }> = {
  name: "note",
  description: "Leave a note for the next session in this folder, or for you after a rewind. The person sees it too.",
  properties: { text: { type: "string" } },
  required: ["text"],
  effect: "adds",
  async run(at, { text }) {
    if (text.length > LONGEST_NOTE)
      throw new ToolProblem(`The note has ${text.length} characters.`, `Shorten it to ${LONGEST_NOTE}.`)
    leaveNote(notesAt(at), text.trim(), at.agent)
    return { text: "Noted. The next session here gets it at its start." }
  },
}

export function notesAt({ cli }: McpContext): NotesDeps {
  return notesOf(cli, cli.cwd)
}
