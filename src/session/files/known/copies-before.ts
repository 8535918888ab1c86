// What files contained before a prompt, from the agent's copies and from commits recorded for its prompts.
import type { Row } from "../../../history/tree/tree.ts"
import type { FileBytes, Workspace } from "../../../workspace/port.ts"
import type { EarlierFiles } from "../../state/open-session.ts"

/**
 * Uses only prompts before `until`. A file first changed by a later prompt was the same until then, so the earliest copy of a file
 * counts; for the same prompt, the agent's own copy.
 */
export async function copiesBefore(
  earlier: EarlierFiles,
  files: Workspace,
  prompt: Row,
  until?: Row,
): Promise<FileBytes[]> {
  const found = new Map<string, FileBytes>()
  const add = (more: readonly FileBytes[]) => {
    for (const file of more) if (!found.has(file.path)) found.set(file.path, file)
  }
  let at = prompt
  for (const { prompt: row, ...range } of earlier.commits?.(prompt, until) ?? []) {
    add(await earlier.before(at, row + 1))
    add(await files.committedBefore(range))
    at = row + 1
  }
  add(await earlier.before(at, until))
  return [...found.values()]
}
