// Ids for entries of agents whose own ids are unlike ours. An id begins with its time, so that it is found quickly, and
// is always the same for the same bytes.
import { createHash } from "node:crypto"
import { parseSessionId, type SessionId } from "../model/id.ts"
import { idText, readIdWords } from "../model/id-words.ts"

/** A UUID as words; undefined if it is not a UUID. Ignores case. */
export function uuidWords(text: unknown, words: Uint32Array = new Uint32Array(4)): Uint32Array | undefined {
  if (typeof text !== "string" || text.length !== 36) return undefined
  return readIdWords(Buffer.from(text.toLowerCase(), "latin1"), 0, words) ? words : undefined
}

/** `ms`: when it was made, 0 if unknown. `key`: unique within the session. */
export function madeWords(ms: number, key: string): Uint32Array {
  return wordsOf(ms, createHash("sha256").update(key).digest())
}

/** For a session whose own name is not a UUID. */
export function madeSessionId(agent: string, name: string): SessionId {
  return textOf(wordsOf(0, createHash("sha256").update(`${agent} session ${name}`).digest())) as SessionId
}

/** The session's own UUID, or one derived from its name. */
export function sessionIdOf(agent: string, name: string): SessionId {
  return parseSessionId(name.toLowerCase()) ?? madeSessionId(agent, name)
}

/** For the name by which its own program calls it: in Kimi Code a UUID with a word in front of it. */
export function sessionIdIn(agent: string, name: string): SessionId {
  return sessionIdOf(agent, name.replace(/^session_(?=[0-9a-f-]{36}$)/, ""))
}

export function textOf(words: Uint32Array): string {
  return idText(words[0] as number, words[1] as number, words[2] as number, words[3] as number)
}

/** Whether an id was derived here. Our own ids have version 7. */
export function isMade(words: Uint32Array): boolean {
  return ((words[1] as number) & 0xf000) === 0x8000
}

/** 48 bits of time, UUID version 8 (custom), and bits of a hash. */
function wordsOf(ms: number, hash: Buffer): Uint32Array {
  const time = Number.isFinite(ms) && ms > 0 ? Math.min(Math.floor(ms), 2 ** 48 - 1) : 0
  const words = new Uint32Array(4)
  words[0] = Math.floor(time / 0x1_0000)
  words[1] = ((time % 0x1_0000) << 16) | 0x8000 | (hash.readUInt16BE(0) & 0xfff)
  words[2] = (hash.readUInt32BE(2) & 0x3fff_ffff) | 0x8000_0000
  words[3] = hash.readUInt32BE(6)
  return words
}
