// Characters that look like ASCII and are not: a name written with one is another name than it seems.

/** The ASCII character, and those that most fonts draw like it. */
const ALIKE: Readonly<Record<string, string>> = {
  a: "аɑα",
  b: "Ь",
  c: "сϲ",
  d: "ԁ",
  e: "еҽ",
  f: "ẝ",
  g: "ɡցǥ",
  h: "һհ",
  i: "іɩι",
  j: "јϳ",
  k: "κк",
  l: "ӏⅼǀ",
  m: "м",
  n: "ոռ",
  o: "оοօᴏ",
  p: "рρ",
  q: "ԛգ",
  r: "г",
  s: "ѕꜱ",
  t: "т",
  u: "սυᴜ",
  v: "νѵᴠ",
  w: "ԝѡᴡ",
  x: "хχ",
  y: "уүγ",
  z: "ᴢ",
  A: "АΑ",
  B: "ВΒ",
  C: "СϹ",
  D: "Ꭰ",
  E: "ЕΕ",
  F: "Ϝ",
  G: "Ԍ",
  H: "НΗ",
  I: "ІΙӀ",
  J: "Ј",
  K: "КΚ",
  L: "Ꮮ",
  M: "МΜ",
  N: "Ν",
  O: "ОΟՕ",
  P: "РΡ",
  Q: "Ԛ",
  R: "Ꭱ",
  S: "ЅՏ",
  T: "ТΤ",
  U: "Ս",
  V: "Ѵ",
  W: "Ԝ",
  X: "ХΧ",
  Y: "ҮΥ",
  Z: "ΖᏃ",
  "/": "∕⁄⧸",
  ";": "\u037e",
  ":": "꞉",
  ".": "․",
  "!": "ǃ",
  "|": "ǀ∣",
  "~": "∼",
  "=": "꓿",
  _: "ˍ",
}

const LATIN = new Map(Object.entries(ALIKE).flatMap(([ascii, others]) => Array.from(others, (char) => [char, ascii])))

export interface LookAlike {
  char: string
  /** What it looks like. */
  as: string
}

/**
 * What in a text is not what it seems. Words that are plainly of another script are not meant: a word counts if it also
 * has ASCII letters, or if all its letters pass for them. Wide and mathematical letters always count, and so does a dash that is none before
 * an option.
 */
export function lookAlikes(text: string): LookAlike[] {
  const found = new Map<string, string>()
  for (const [word] of text.matchAll(/[^\s"'`|&;()<>]+/g)) {
    for (const run of word.split(/[^\p{L}\p{N}\p{M}]+/u)) {
      const chars = Array.from(run)
      const passes = /[A-Za-z]/.test(run) || chars.every((char) => isAscii(char) || alike(char) !== undefined)
      if (passes) for (const char of chars) note(char)
    }
    for (const char of word) if (!/[\p{L}\p{N}]/u.test(char)) note(char)
    if (/^[‐‑‒–—−]/.test(word) && /^.+?\w/.test(word)) found.set(word[0] as string, "-")
  }
  return [...found].map(([char, as]) => ({ char, as }))

  function note(char: string): void {
    const as = alike(char)
    if (as !== undefined) found.set(char, as)
  }
}

/** The same text, with each of them followed by its number: `р<U+0440>m`. */
export function withLookAlikes(text: string): string {
  const found = new Set(lookAlikes(text).map(({ char }) => char))
  return Array.from(text, (char) => (found.has(char) ? `${char}<${codePoint(char)}>` : char)).join("")
}

/** "U+0440" */
export function codePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`
}

function isAscii(char: string): boolean {
  return char <= "\x7f"
}

function alike(char: string): string | undefined {
  if (isAscii(char)) return undefined
  const plain = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2160-\u217f\u2100-\u214f]/u.test(char) ? char.normalize("NFKC") : ""
  return LATIN.get(char) ?? (/^[!-~]$/.test(plain) ? plain : undefined)
}
