// What the person typed in the last sessions of a folder, for the arrow keys and Ctrl+R.
import type { AnyStore } from "../../foreign/any-store.ts"
import { config, type History } from "../../history/tree/tree.ts"
import type { EntryId, SessionId } from "../../model/id.ts"
import { isObject, type Json } from "../../model/json.ts"
import { plainText, worksForAnother } from "../../model/record/record.ts"
import type { Job } from "../../protocol/library.ts"
import { localFiles } from "../../store/file/local/local-files.ts"
import type { SessionStore } from "../../store/port.ts"

const MOST_SESSIONS = 30
const MOST_PROMPTS = 500
const MOST_OF_ONE = 100

/** Contract: oldest first; reads the ends of the last sessions only. A session that cannot be read is skipped. */
export async function pastPrompts({
  store,
  home,
  cwd,
}: {
  store: Pick<SessionStore, "list" | "open">
  home: string
  cwd: string
}): Promise<string[]> {
  const listed = (await store.list({ cwd })).filter(({ from }) => !worksForAnother(from)).slice(0, MOST_SESSIONS)
  const found: { at: string; text: string }[] = []
  for (const { id } of listed) {
    if (found.length >= MOST_PROMPTS) break
    const log = await store.open(id).catch(() => undefined)
    if (log === undefined) continue
    found.push(...unsentIn(log.history, localFiles(home, log).read("draft")), ...promptsOf(log.history))
    await log.close()
  }
  return found.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ text }) => text)
}

/** A prompt of any session of any agent. */
export interface PromptAnywhere {
  at: string
  session: SessionId
  agent: string
  project: string
  entry: EntryId
  text: string
}

/**
 * Those that include the text in any case, the newest first. Contract: opens the sessions that were used since, the latest first, until
 * there are enough; one that cannot be read is skipped. What was typed several times, or copied, is there once, where it was last.
 */
export async function promptsAnywhere(
  store: AnyStore,
  { text = "", since = "", agent, limit }: { text?: string; since?: string; agent?: string; limit: number },
  { tick, signal }: Job = {},
): Promise<PromptAnywhere[]> {
  const all = (await store.list({ agents: "all" })).filter(({ from, updated, agent: own = "retcon" }) => {
    return !worksForAnother(from) && updated >= since && (agent === undefined || own === agent)
  })
  const wanted = text.toLowerCase()
  const found = new Map<string, PromptAnywhere>()
  for (const [done, session] of all.entries()) {
    await tick?.(done / all.length)
    signal?.throwIfAborted()
    // A session that was last used before all of these has no later prompt.
    const last = [...found.values()].map(({ at }) => at).sort()[found.size - limit]
    if (last !== undefined && session.updated < last) break
    const { id, file, agent: own = "retcon", cwd } = session
    const opened = own === "retcon" && file !== undefined ? store.openFile(file) : store.open(id)
    const log = await opened.catch(() => undefined)
    if (log === undefined) continue
    for (const { at, text: asked, entry } of promptsOf(log.history)) {
      if (at < since || !asked.toLowerCase().includes(wanted) || (found.get(asked)?.at ?? "") >= at) continue
      found.set(asked, { at, session: id, agent: own, project: cwd, entry, text: asked })
    }
    await log.close()
  }
  return [...found.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit)
}

/** The last prompts of a log, on any branch. */
function promptsOf(history: History): { at: string; text: string; entry: EntryId }[] {
  const found: { at: string; text: string; entry: EntryId }[] = []
  for (let row = history.size - 1; row >= 0 && found.length < MOST_OF_ONE; row--) {
    if (!history.isPrompt(row)) continue
    const record = history.record(row)
    if (record?.type !== "message") continue
    found.push({ at: record.at, text: plainText(record.content), entry: history.id(row) as EntryId })
  }
  return found
}

/** What was typed and not sent when the session was left. Older versions stored it in the log. */
function unsentIn(history: History, draft: Json | undefined): { at: string; text: string }[] {
  const last = history.record(history.size - 1)
  return [config(history).get("draft"), draft].flatMap((each) =>
    isObject(each) && typeof each.text === "string" ? [{ at: last?.at ?? "", text: each.text }] : [],
  )
}
