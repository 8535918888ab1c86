// What the person has typed: in this folder, and in this session.
import { askedPrompts } from "../../history/tree/asked.ts"
import { plainText } from "../../model/record/record.ts"
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
  return askedPrompts(history, head, MOST_REMEMBERED).flatMap(({ prompt }) => {
    const record = history.record(prompt)
    return record?.type === "message" ? [record.display ?? plainText(record.content)] : []
  })
}
