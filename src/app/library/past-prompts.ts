// What the person typed in the last sessions of a folder, for the arrow keys and Ctrl+R.
import { config, type History } from "../../history/tree/tree.ts"
import { isObject, type Json } from "../../model/json.ts"
import { plainText, worksForAnother } from "../../model/record/record.ts"
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

/** The last prompts of a log, on any branch. */
function promptsOf(history: History): { at: string; text: string }[] {
  const found: { at: string; text: string }[] = []
  for (let row = history.size - 1; row >= 0 && found.length < MOST_OF_ONE; row--) {
    if (!history.isPrompt(row)) continue
    const record = history.record(row)
    if (record?.type !== "message") continue
    found.push({ at: record.at, text: plainText(record.content) })
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
