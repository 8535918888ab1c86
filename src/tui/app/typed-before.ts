// What the person has typed: in this folder, and in this session.
import { NONE } from "../../history/tree/tree.ts"
import { plainText } from "../../model/record/part.ts"
import type { SessionContents } from "../../protocol/host.ts"
import type { EditorSources } from "./deps.ts"

export const MOST_REMEMBERED = 100

/** Oldest first, and each text once. */
export async function typedBefore(
  session: SessionContents,
  { pastPrompts }: Pick<EditorSources, "pastPrompts">,
): Promise<readonly string[]> {
  const own = promptTexts(session)
  const before = await (pastPrompts?.() ?? Promise.resolve([])).catch(() => [])
  const known = new Set(own)
  return [...before.filter((text) => !known.has(text)), ...own]
}

function promptTexts({ history, head }: SessionContents): string[] {
  const texts: string[] = []
  let row = head === NONE ? NONE : history.prompt(head)
  while (row !== NONE && texts.length < MOST_REMEMBERED) {
    const record = history.record(row)
    if (record?.type === "message") texts.unshift(record.display ?? plainText(record.content))
    const parent = history.parent(row)
    row = parent === NONE ? NONE : history.prompt(parent)
  }
  return texts
}
