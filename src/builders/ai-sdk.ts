// Vercel's AI SDK on a session: what a chat route receives and answers, as a tree. It imports nothing of the SDK: its messages are
// taken by their shape (versions 5 to 7).
import { branchesOf } from "../history/tree/branches.ts"
import { entryId, NONE, path, type Row } from "../history/tree/tree.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId } from "../model/id.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.ts"
import { type MessageRecord, type Part, plainText } from "../model/record/record.ts"
import type { Session } from "../session/session.ts"
import { answerDraft, type EntryDraft, promptDraft, toolDraft } from "../session/state/draft.ts"
import type { Turn } from "../session/state/turn.ts"

/** A `UIMessage` of the SDK. */
export interface ChatMessage {
  id: string
  role: "system" | "user" | "assistant"
  parts: readonly { type: string }[]
}

/** The body that `useChat` posts. */
export interface ChatRequest<Message> {
  messages: readonly Message[]
  trigger?: "submit-message" | "regenerate-message"
  messageId?: string | undefined
}

/** A version of a message: another answer to the same prompt, or another prompt in its place. */
export interface ChatVersion<Message> {
  entry: EntryId
  message: Message
  /** Whether it is on the path to the head. */
  shown: boolean
}

export interface RetconChat<Message> {
  /** The messages on the path, as a client shows them. */
  messages(): Message[]
  /**
   * Takes the last message of a request, and where it belongs: an edited message and another answer are new branches. Nothing else
   * of the request is believed: the session knows the rest. Returns the messages that the model gets. It stops the answer that is
   * still being made, if there is one.
   */
  receive(request: ChatRequest<Message>): Promise<Message[]>
  /** For `abortSignal`: aborted once a move, or another request, makes the answer late. */
  readonly signal: AbortSignal | undefined
  /** For `onFinish`: keeps the answer, also an aborted one. A late answer is dropped: someone has moved meanwhile. */
  onFinish(event: { responseMessage: Message; isAborted?: boolean }): Promise<void>
  /** The versions of a message that is shown, oldest first: what a ‹ 2/3 › control needs. */
  versions(id: string): ChatVersion<Message>[]
  /** Goes to the newest end of the branch with that version. */
  show(entry: EntryId): Promise<Message[]>
}

/** Where a message is kept: with the last of its entries. The others have the key alone. */
const KEY = "aiSdk"

/** A chat on an open session. The session stays the caller's: its moves, its undo, its end. */
export function retconChat<Message extends ChatMessage = ChatMessage>(session: Session): RetconChat<Message> {
  const { history } = session
  let turn: Turn | undefined

  const messageAt = (row: Row): Message | undefined => {
    const record = history.record(row)
    return record?.type === "message" ? (shownAs(record) as Message | undefined) : undefined
  }
  const rows = () => path(history, session.headRow).filter((row) => messageAt(row) !== undefined)
  const messages = () => rows().map((row) => messageAt(row) as Message)
  const find = (id: string | undefined) => rows().find((row) => messageAt(row)?.id === id)
  /** The entry before the first of a message's entries. */
  const before = (last: Row): Row => {
    let row = history.parent(last)
    while (row !== NONE && isPartOfMessage(history.record(row))) row = history.parent(row)
    return row
  }
  const goTo = async (row: Row) => {
    if (row === session.headRow) return
    const moved = await session.goto(entryId(history, row), { at: "exactly" })
    if (moved.outcome === "refused") throw new RetconError(moved.failure)
  }
  return {
    messages,
    get signal() {
      return turn?.signal
    },
    async receive({ messages: sent, trigger = "submit-message", messageId }) {
      await session.stopTurn()
      const last = trigger === "submit-message" ? sent.at(-1) : undefined
      const known = find(last?.id ?? messageId ?? sent.at(-1)?.id)
      const repeats = known !== undefined && last !== undefined && isSame(messageAt(known), last)
      if (known === undefined) await goTo(find(sent.at(-2)?.id) ?? session.headRow)
      else if (repeats || (last === undefined && messageAt(known)?.role === "user")) await goTo(known)
      else await goTo(before(known))
      turn = await session.beginTurn()
      if (last !== undefined && !repeats) await turn.append(draftsOf(last, false), { durable: true })
      return messages()
    },
    async onFinish({ responseMessage, isAborted = false }) {
      const current = turn
      if (current === undefined || current.isOver()) return
      try {
        if (responseMessage.parts.length === 0) return
        // A continued answer has the id of its beginning.
        const known = find(responseMessage.id)
        const parent = known === undefined ? {} : { parent: entryId(history, before(known)) }
        await current.append(draftsOf(responseMessage, isAborted), { durable: true, ...parent })
      } catch (error) {
        if (!(error instanceof RetconError && error.code === "turn-ended")) throw error
      } finally {
        await current.end()
      }
    },
    versions(id) {
      const shown = find(id)
      if (shown === undefined) return []
      const parent = before(shown)
      const branches = branchesOf(history)
      const on = new Set(rows())
      /** The last entry of each message that begins here. */
      const lasts = (row: Row): Row[] =>
        messageAt(row) !== undefined ? [row] : branches.children(row).toReversed().flatMap(lasts)
      const all = branches.children(parent).toReversed().flatMap(lasts)
      return all
        .map((row) => ({ entry: history.id(row) as EntryId, message: messageAt(row) as Message, shown: on.has(row) }))
        .filter(({ message, shown }, i, list) => {
          // Parts of one answer, as it was continued after a tool of the client.
          const isEarlier = list.slice(i + 1).some((later) => later.message.id === message.id)
          return shown || message.role !== "assistant" || !isEarlier
        })
    },
    async show(entry) {
      await goTo(branchesOf(history).newest(history.rowOf(session.resolve(entry))))
      return messages()
    },
  }
}

function metaOf(record: MessageRecord): JsonObject | undefined {
  const kept = record.meta?.[KEY]
  return isObject(kept) ? kept : undefined
}

/** An entry of a message that is kept with a later one. */
function isPartOfMessage(record: { type: string } | undefined): boolean {
  return record?.type === "message" && shownAs(record as MessageRecord) === undefined
}

/** The message that is kept with an entry, or what another program wrote, as one. */
function shownAs(record: MessageRecord): ChatMessage | undefined {
  const kept = metaOf(record)
  if (kept !== undefined) return kept.message as ChatMessage | undefined
  const text = plainText(record.content)
  if (record.role === "tool" || text === "") return undefined
  return { id: record.id, role: record.role, parts: [{ type: "text", text } as { type: string }] }
}

/** As it is written to a log. */
function plain(value: unknown): Json {
  const parsed = parseJson(JSON.stringify(value))
  return parsed.ok ? parsed.value : null
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b))
}

/** A step of an answer is a message with calls, and one with their results: so a model, and retcon, read it. */
function draftsOf(message: ChatMessage, aborted: boolean): EntryDraft[] {
  const drafts: EntryDraft[] = []
  let [content, results]: [Part[], Part[]] = [[], []]
  const end = () => {
    if (content.length > 0) drafts.push(draftOf(message.role, content))
    if (results.length > 0) drafts.push(toolDraft(results, { meta: { [KEY]: {} } }))
    ;[content, results] = [[], []]
  }
  for (const each of message.parts) {
    const part = each as { type: string } & Record<string, unknown>
    const isCall = part.type === "dynamic-tool" || part.type.startsWith("tool-")
    if (!isCall && (results.length > 0 || part.type === "step-start")) end()
    content.push(...(isCall ? callOf(part) : contentOf(part)))
    if (isCall) results.push(...resultOf(part))
  }
  end()
  const last = drafts.at(-1) ?? draftOf(message.role, [])
  const whole = { ...last, meta: { [KEY]: { message: plain(message) } }, ...(aborted && { stop: "aborted" }) }
  return [...drafts.slice(0, -1), whole]
}

function draftOf(role: ChatMessage["role"], content: Part[]): EntryDraft {
  const meta = { [KEY]: {} }
  if (role === "assistant") return answerDraft(content, { meta })
  return role === "user"
    ? promptDraft("", { content, meta })
    : { type: "message", role, origin: "injection", content, meta }
}

function contentOf({ type, text, url, mediaType }: Record<string, unknown>): Part[] {
  if ((type === "text" || type === "reasoning") && typeof text === "string") return [{ type, text }]
  const data = type === "file" && typeof url === "string" ? /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1] : undefined
  if (data === undefined || typeof mediaType !== "string") return []
  return [{ type: mediaType.startsWith("image/") ? "image" : "file", mediaType, data }]
}

function nameOf({ type, toolName }: Record<string, unknown>): string {
  return typeof toolName === "string" ? toolName : String(type).slice("tool-".length)
}

function callOf(part: Record<string, unknown>): Part[] {
  return [{ type: "tool-call", call: String(part.toolCallId), name: nameOf(part), input: plain(part.input ?? {}) }]
}

function resultOf(part: Record<string, unknown>): Part[] {
  const { output, errorText } = part
  if (output === undefined && errorText === undefined) return []
  const text = [errorText, output].find((each) => typeof each === "string") ?? JSON.stringify(output ?? errorText)
  const result = { type: "tool-result", call: String(part.toolCallId), name: nameOf(part), output: text } as const
  return [errorText === undefined ? result : { ...result, error: true }]
}
