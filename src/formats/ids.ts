// Ids for entries of agents that have none like ours. An id begins with its time, so that it is found quickly, and is the
// same whenever the same bytes are read.
import { createHash } from "node:crypto"
import type { SessionId } from "../model/id.ts"
import { idText, readIdWords } from "../model/id-words.ts"

/** A UUID as words; undefined when it is none. Capitals are read as small letters. */
export function uuidWords(text: unknown, words: Uint32Array = new Uint32Array(4)): Uint32Array | undefined {
  if (typeof text !== "string" || text.length !== 36) return undefined
  return readIdWords(Buffer.from(text.toLowerCase(), "latin1"), 0, words) ? words : undefined
}

/** `ms`: when it was made, 0 when nobody knows. `key`: what tells it from all others of the session. */
export function madeWords(ms: number, key: string): Uint32Array {
  return wordsOf(ms, createHash("sha256").update(key).digest())
}

/** Of a session whose own name is no UUID. */
export function madeSessionId(agent: string, name: string): SessionId {
  return textOf(wordsOf(0, createHash("sha256").update(`${agent} session ${name}`).digest())) as SessionId
}

/** The session's own UUID, or one made from its name. */
export function sessionIdOf(agent: string, name: string): SessionId {
  const words = uuidWords(name)
  return words === undefined ? madeSessionId(agent, name) : (textOf(words) as SessionId)
}

export function textOf(words: Uint32Array): string {
  return idText(words[0] as number, words[1] as number, words[2] as number, words[3] as number)
}

/** 48 bits of time, the version 8 of ids that a program makes its own way, and bits of a hash. */
function wordsOf(ms: number, hash: Buffer): Uint32Array {
  const time = Number.isFinite(ms) && ms > 0 ? Math.min(Math.floor(ms), 2 ** 48 - 1) : 0
  const words = new Uint32Array(4)
  words[0] = Math.floor(time / 0x1_0000)
  words[1] = ((time % 0x1_0000) << 16) | 0x8000 | (hash.readUInt16BE(0) & 0xfff)
  words[2] = (hash.readUInt32BE(2) & 0x3fff_ffff) | 0x8000_0000
  words[3] = hash.readUInt32BE(6)
  return words
}
