// What a context contains besides messages: marks of checkpoints, and notes that a move left. Text in <system> tags is
// ours; a note is the agent's own and a prompt the person's, so neither is in such tags.
import type { CheckpointRecord, NoteRecord } from "../../model/record/record.ts"
import { inertNote } from "../../model/text/inert.ts"

export function checkpointText({ n, leaves = [] }: Pick<CheckpointRecord, "n" | "leaves">): string {
  if (leaves.length === 0) return `<system>Checkpoint ${n}</system>`
  const counts = leaves.map((each) => `checkpoint ${each.n}: about ${rounded(each.tokens)} tokens`)
  return `<system>Checkpoint ${n}. What going back with Backtrack would leave behind: ${counts.join("; ")}.</system>`
}

/** In order, each a separate part. */
export function noteTexts({ text, facts, prompts = [], checkpoint }: NoteRecord): string[] {
  const intro =
    checkpoint === undefined
      ? "Another way was taken from here. Summary of what was left, as the model wrote it"
      : "You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it"
  const known = facts.map((fact) => `\n- ${fact}`).join("")
  return [
    `<system>${intro}.</system>\n<note>\n${inertNote(text)}\n</note>`,
    ...(known === "" ? [] : [`<system>Still true, from retcon's own records:${known}</system>`]),
    ...(prompts.length === 0
      ? []
      : ["<system>What the user said after this point, word for word, oldest first:</system>"]),
    ...prompts,
  ]
}

function rounded(tokens: number): string {
  return `${Math.max(1, Math.round(tokens / 1000))},000`
}
