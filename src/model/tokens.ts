// Estimates the tokens of a text: split as tokenizers split, each piece weighted by the average for such pieces. The
// weights come from source code and prose counted with o200k_base; they need no vocabulary.

export type CountTokens = (text: string) => number

const LOWER = 0
const UPPER = 1
const DIGIT = 2
const SPACE = 3
const NEWLINE = 4
const SYMBOL = 5
/** Beyond ASCII, every character is a piece. */
const BEYOND = 6

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)))

function kindOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER
  if (/[A-Z]/.test(character)) return UPPER
  if (/\d/.test(character)) return DIGIT
  if (/[\r\n]/.test(character)) return NEWLINE
  return /\s/.test(character) ? SPACE : SYMBOL
}

/** Contract: on code or prose of two kilobytes or more, within a fifth of what o200k_base counts. Linear in the text. */
export function textTokens(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    const next = kindAt(text, at + 1)
    const joins = (kind === SPACE || kind === SYMBOL) && next <= UPPER
    if (kind <= UPPER || joins) {
      const start = joins ? at + 1 : at
      const capitals = endOf(text, start, UPPER)
      at = endOf(text, capitals, LOWER)
      tokens += wordWeight(at - start, capitals - start, joins ? kind : LOWER)
    } else if (kind === DIGIT) {
      at = Math.min(at + 3, endOf(text, at, DIGIT))
      tokens++
    } else if (kind === BEYOND) {
      tokens += beyondWeight(text.charCodeAt(at), text.charCodeAt(at - 1))
      at++
    } else if (kind === SPACE && next === BEYOND) {
      at++
    } else if (kind === SYMBOL || (kind === SPACE && next === SYMBOL)) {
      const start = kind === SPACE ? at + 1 : at
      const end = endOf(text, start, SYMBOL)
      tokens += symbolWeight(text, start, end)
      at = endOf(text, end, NEWLINE)
    } else {
      at = endOfBlank(text, at)
      tokens++
    }
  }
  return text === "" ? 0 : Math.max(1, Math.round(tokens))
}

/** A word after a space is the usual case, and mostly one token. A run of capitals is split into smaller pieces. */
function wordWeight(length: number, capitals: number, before: number): number {
  const row = Math.max(0, capitals - 1)
  if (before === SPACE) return 1 + 0.1 * row + 0.08 * Math.max(0, length - 7) + 0.3 * Math.max(0, length - 14)
  const cut = (before === SYMBOL ? 0.2 : 0.1) * (length > 2 ? 1 : 0.5)
  return 1 + cut + 0.2 * row + 0.12 * Math.max(0, length - 5) + 0.2 * Math.max(0, length - 12)
}

/** A ruler such as ----- is one token. */
function symbolWeight(text: string, start: number, end: number): number {
  let changes = 0
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) !== text.charCodeAt(at - 1)) changes++
  return 1 + 0.6 * Math.max(0, changes - 2) + Math.floor((end - start) / 64)
}

/**
 * By script: accented letters split a word, other alphabets have a few letters per token, pictures need several tokens.
 */
function beyondWeight(code: number, before: number): number {
  if (code === before) return 0.1
  if (code < 0x0250) return 0.6
  if (code < 0x0590) return 0.28
  if (code < 0x2000) return 0.36
  if (code < 0x2e80) return 1
  if (code < 0xac00) return 0.75
  return code < 0xd800 ? 0.7 : 0.8
}

function kindAt(text: string, at: number): number {
  if (at >= text.length) return NEWLINE
  const code = text.charCodeAt(at)
  return code < 128 ? (KINDS[code] as number) : BEYOND
}

function endOf(text: string, start: number, kind: number): number {
  let end = start
  while (end < text.length && kindAt(text, end) === kind) end++
  return end
}

/** Blanks up to their last line break; without one, all but the last blank, which belongs to the next word. */
function endOfBlank(text: string, start: number): number {
  let end = start
  let broken = start
  while (end < text.length) {
    const kind = kindAt(text, end)
    if (kind !== SPACE && kind !== NEWLINE) break
    end++
    if (kind === NEWLINE) broken = end
  }
  if (broken > start) return broken
  return end < text.length && end - start > 1 ? end - 1 : end
}
