// The `Session` of the OpenAI Agents SDK on a session of retcon: every item is an entry. It imports nothing of the SDK: its items are
// taken by their shape.
import { entryId, path, type Row } from "../history/tree/tree.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId } from "../model/id.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.ts"
import type { Part } from "../model/record/record.ts"
import type { Session } from "../session/session.ts"
import { answerDraft, type EntryDraft, promptDraft, toolDraft } from "../session/state/draft.ts"

/** The SDK's interface. Items are removed from the path only: undo brings them back. */
export interface ItemSession<Item> {
  getSessionId(): Promise<string>
  /** The items on the path, oldest first; or the last few. */
  getItems(limit?: number): Promise<Item[]>
  /** Throws `moved-elsewhere` if someone has moved since the run read the items: its results belong to another branch. */
  addItems(items: Item[]): Promise<void>
  popItem(): Promise<Item | undefined>
  clearSession(): Promise<void>
}

const KEY = "openaiAgents"

/** The session stays the caller's: its moves, its undo, its end. */
export function retconSession<Item extends object = JsonObject>(session: Session): ItemSession<Item> {
  const { history } = session
  let at: EntryId | null | undefined
  const itemAt = (row: Row): Item | undefined => {
    const record = history.record(row)
    return record?.type === "message" ? (record.meta?.[KEY] as Item | undefined) : undefined
  }
  const rows = () => path(history, session.headRow).filter((row) => itemAt(row) !== undefined)
  const goTo = async (entry: EntryId | null) => {
    const moved = await session.goto(entry, { at: "exactly" })
    if (moved.outcome === "refused") throw new RetconError(moved.failure)
    at = session.head
  }
  return {
    getSessionId: async () => session.id,
    async getItems(limit) {
      session.look()
      at = session.head
      const all = rows()
      return all.slice(limit === undefined ? 0 : Math.max(0, all.length - limit)).map((row) => itemAt(row) as Item)
    },
    async addItems(items) {
      session.mustBeAt(at)
      await session.append(items.map(draftOf), { durable: true })
      at = session.head
    },
    async popItem() {
      const last = rows().at(-1)
      if (last === undefined) return undefined
      const item = itemAt(last)
      await goTo(entryId(history, history.parent(last)))
      return item
    },
    clearSession: () => goTo(null),
  }
}

function draftOf(item: object): EntryDraft {
  const parsed = parseJson(JSON.stringify(item))
  const kept: JsonObject = parsed.ok && isObject(parsed.value) ? parsed.value : {}
  const meta = { [KEY]: kept }
  const { type, role, content, output } = kept
  const [call, name] = [textOf(kept.callId), textOf(kept.name)]
  if (type === "function_call") {
    const input = parseJson(typeof kept.arguments === "string" ? kept.arguments : "{}")
    return answerDraft([{ type: "tool-call", call, name, input: input.ok ? input.value : {} }], { meta })
  }
  if (type === "function_call_result")
    return toolDraft([{ type: "tool-result", call, output: textOf(output) }], { meta })
  const said: Part[] = [{ type: type === "reasoning" ? "reasoning" : "text", text: textOf(content) }]
  if (role === "user") return promptDraft("", { content: said, meta })
  if (role === "system") return { type: "message", role, origin: "injection", content: said, meta }
  return answerDraft(said, { meta })
}

/** A string, or parts with a text. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content
  const parts = Array.isArray(content) ? content : [content ?? null]
  return parts.flatMap((part) => (isObject(part) && typeof part.text === "string" ? [part.text] : [])).join("\n")
}
