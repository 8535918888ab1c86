// Where words begin and end in the bytes of a JSON string, one character per byte.

/** Between words; between the parts of one, as in `parse_ledger` and `parseLedger`. 0: inside a word. */
export const HARD = 2
export const SOFT = 1

const [UNDERSCORE, BACKSLASH] = [95, 92]

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90
}

function isAlphanumeric(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57)
}

/** Scripts without spaces between words. */
export function isCjk(code: number): boolean {
  return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff)
}

/** Whether a word can begin here. */
export function boundaryBefore(text: string, at: number): number {
  if (at === 0) return HARD
  const before = text.charCodeAt(at - 1)
  if (before === UNDERSCORE) return SOFT
  if (before >= 128) return isMarkBefore(text, at) ? HARD : 0
  if (!isAlphanumeric(before)) return HARD
  // An escaped line break or tab, and the last digit of an escaped mark such as a dash.
  if ((before === 110 || before === 116 || before === 114) && text.charCodeAt(at - 2) === BACKSLASH) return HARD
  if (isUpper(text.charCodeAt(at)) && isLower(before)) return SOFT
  if (text.charCodeAt(at - 5) === 117 && text.charCodeAt(at - 6) === BACKSLASH)
    return isMark(codeAt(text, at - 4)) ? HARD : 0
  return 0
}

/** Whether a word can end here. */
export function boundaryAfter(text: string, end: number): number {
  if (end >= text.length) return HARD
  const after = text.charCodeAt(end)
  if (after === UNDERSCORE) return SOFT
  if (after >= 128) return isMarkAfter(text, end) ? HARD : 0
  if (after === BACKSLASH && text.charCodeAt(end + 1) === 117) return isMark(codeAt(text, end + 2)) ? HARD : 0
  if (!isAlphanumeric(after)) return HARD
  return isUpper(after) && isLower(text.charCodeAt(end - 1)) ? SOFT : 0
}

function codeAt(text: string, at: number): number {
  return Number.parseInt(text.slice(at, at + 4), 16)
}

/** Marks and symbols, and scripts whose words touch each other. */
function isMark(code: number): boolean {
  if (Number.isNaN(code) || code < 128) return !(code >= 48 && isAlphanumeric(code))
  return !/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code)) || isCjk(code)
}

function isMarkBefore(text: string, at: number): boolean {
  let lead = at - 1
  while (lead > 0 && at - lead < 4 && (text.charCodeAt(lead) & 0xc0) === 0x80) lead--
  return isMarkAfter(text, lead)
}

/** The character whose bytes begin here. */
function isMarkAfter(text: string, at: number): boolean {
  const lead = text.charCodeAt(at)
  const bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (bytes === 4) return true
  const code =
    bytes === 3
      ? ((lead & 15) << 12) | ((text.charCodeAt(at + 1) & 63) << 6) | (text.charCodeAt(at + 2) & 63)
      : ((lead & 31) << 6) | (text.charCodeAt(at + 1) & 63)
  return isMark(code)
}
