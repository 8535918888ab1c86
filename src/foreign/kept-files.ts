// What another agent kept of the files of a session, relative to the session's folder.
import { isAbsolute, relative, sep } from "node:path"
import type { FileHistory } from "../formats/port.ts"
import { prompts } from "../history/tree/path.ts"
import type { Row } from "../history/tree/tree.ts"
import { agentTitle } from "../model/agent-title.ts"
import type { EntryId } from "../model/id.ts"
import type { ForeignLog } from "./foreign-log.ts"

export interface KeptFiles {
  before(prompt: Row): Promise<{ path: string; bytes: Uint8Array | null }[]>
  words: string
}

/** Undefined when the agent keeps nothing of files. `folder`: of the session, absolute. */
export function keptFiles({ opened, history, agent }: ForeignLog, folder: string): KeptFiles | undefined {
  const kept = opened.fileHistory?.()
  if (kept === undefined || !isAbsolute(folder)) return undefined
  const reach = kept.reaches === "everything" ? "what it covers itself" : "what its own tools edited"
  return {
    words: `These are the copies of ${agentTitle(agent)}, which keeps only ${reach}.`,
    /** A file that is first changed by a later prompt was the same until then. */
    async before(prompt) {
      const found = new Map<string, Uint8Array | null>()
      for (const row of prompts(history, history.head).filter((each) => each >= prompt))
        await addMissing(found, kept, history.id(row) as EntryId, folder)
      return [...found].map(([path, bytes]) => ({ path, bytes }))
    },
  }
}

async function addMissing(
  found: Map<string, Uint8Array | null>,
  kept: FileHistory,
  prompt: EntryId,
  folder: string,
): Promise<void> {
  for (const { path, bytes } of await kept.before(prompt)) {
    const inside = isAbsolute(path) ? relative(folder, path) : path
    if (inside === "" || inside.split(sep).includes("..") || isAbsolute(inside) || found.has(inside)) continue
    // A copy that is gone says nothing about the file: it must not be taken for one that was not there.
    const read = await bytes().catch(() => undefined)
    if (read !== undefined) found.set(inside, read)
  }
}
