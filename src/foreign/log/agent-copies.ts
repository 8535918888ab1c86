// What another agent's own files tell of the workspace's files: copies of them, and what its calls changed. Paths are relative to
// the session's folder.
import { realpathSync } from "node:fs"
import { isAbsolute, relative, resolve, sep } from "node:path"
import type { FileHistory, PromptCommits } from "../../formats/port.ts"
import type { SaidCall } from "../../history/files/said-calls.ts"
import { prompts } from "../../history/tree/path.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import type { EntryId } from "../../model/id.ts"
import type { ForeignLog } from "./foreign-log.ts"
import { saidCalls } from "./said-calls.ts"

export interface AgentCopies {
  before(prompt: Row, until?: Row): Promise<{ path: string; bytes: Uint8Array | null }[]>
  commits?(prompt: Row, until?: Row): { prompt: Row; from: string; to: string }[]
  calls(since: Row): SaidCall[]
  words?: string
}

/** Undefined if the agent's files tell nothing of other files. `folder`: the session's folder, absolute. */
export function agentCopies(log: ForeignLog, folder: string): AgentCopies | undefined {
  const { opened, history, agent } = log
  const copies = opened.fileHistory?.()
  if ((copies === undefined && opened.said === undefined) || !isAbsolute(folder)) return undefined
  const kept = copies ?? NO_COPIES
  const reach = kept.reaches === "everything" ? "what it covers itself" : "what its own tools edited"
  const { commits } = kept
  const beside =
    commits === undefined ? "" : ` Commits that ${commits.by} recorded add what was committed in each round.`
  return {
    ...(copies !== undefined && {
      words: `These are copies that ${agentTitle(agent)} made; it keeps only ${reach}.${beside}`,
    }),
    ...(commits !== undefined && {
      commits: (prompt, until = history.size) => noted(history, commits.ofPrompts, prompt, until),
    }),
    /** A file first changed by a later prompt was the same until then. */
    async before(prompt, until = history.size) {
      const found = new Map<string, Uint8Array | null>()
      for (const row of prompts(history, history.head).filter((each) => each >= prompt && each < until))
        await addMissing(found, kept, history.id(row) as EntryId, folder)
      return [...found].map(([path, bytes]) => ({ path, bytes }))
    },
    calls: (since) => saidCalls(log, since, (path) => reallyInside(folder, path)),
  }
}

const NO_COPIES: FileHistory = { reaches: "tool edits", before: async () => [] }

/** If a round's end was not recorded, it ended where the next one began. The last round is then left out. */
function noted(
  history: History,
  ofPrompts: ReadonlyMap<number, PromptCommits>,
  first: Row,
  until: Row,
): { prompt: Row; from: string; to: string }[] {
  const places = new Map<Row, number>()
  for (let row = 0; row < history.size; row++) if (history.isPrompt(row)) places.set(row, places.size)
  const rounds = prompts(history, history.head).map((prompt) => ({
    prompt,
    ...ofPrompts.get(places.get(prompt) ?? -1),
  }))
  return rounds.flatMap(({ prompt, before: from, after }, i) => {
    const to = after ?? rounds[i + 1]?.before
    return prompt < first || prompt >= until || from === undefined || to === undefined ? [] : [{ prompt, from, to }]
  })
}

async function addMissing(
  found: Map<string, Uint8Array | null>,
  kept: FileHistory,
  prompt: EntryId,
  folder: string,
): Promise<void> {
  for (const { path, bytes } of await kept.before(prompt)) {
    const own = inside(folder, path)
    if (own === undefined || found.has(own)) continue
    // A missing copy does not mean that the file was missing.
    const read = await bytes().catch(() => undefined)
    if (read !== undefined) found.set(own, read)
  }
}

/** What a write to a path changes, which may be behind a link: relative to the folder, or absolute if it is not in it. */
function reallyInside(folder: string, path: string): string {
  const whole = resolve(folder, path)
  try {
    return inside(realpathSync.native(folder), realpathSync.native(whole)) ?? whole
  } catch {
    return inside(folder, whole) ?? whole
  }
}

/** Relative to the folder; undefined if it is not in it. */
function inside(folder: string, path: string): string | undefined {
  const own = isAbsolute(path) ? relative(folder, path) : path
  return own === "" || own.split(sep).includes("..") || isAbsolute(own) ? undefined : own
}
