// Texts as patterns over the bytes of a log's lines, one character per byte: lines that do not match are never decoded.

/** The source of a pattern that matches wherever `text` occurs in a JSON string, plain or escaped. It may match more. */
export function bytePattern(text: string, cases: "same" | "any"): string {
  return words(text)
    .map((word) =>
      Array.from(word)
        .map((character) => characterPattern(character, cases))
        .join(""),
    )
    .join(SPACE)
}

/** The source of a pattern for the text itself; for any case, the pattern ignores case. */
export function textPattern(text: string): string {
  return words(text).map(escaped).join("\\s+")
}

/** A space matches any white space: a sentence may continue on the next line. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const SPACE = String.raw`(?:[ \t]|\\+[ntrf]|\\+u00(?:0[0-9a-dA-D]|20|[aA]0)|\xc2\xa0|\xe2\x80.|\xe3\x80\x80)+`

function characterPattern(character: string, cases: "same" | "any"): string {
  const variants =
    cases === "same" ? [character] : [...new Set([character, character.toLowerCase(), character.toUpperCase()])]
  // Nobody escapes ASCII letters and digits, and a short pattern is a quick one.
  if (/^[A-Za-z0-9]$/.test(character)) return variants.length === 1 ? character : `[${variants.join("")}]`
  const forms = new Set<string>()
  for (const variant of foldings(variants, cases)) {
    forms.add(escaped(Buffer.from(variant).toString("latin1")))
    forms.add(escaped(Buffer.from(JSON.stringify(variant).slice(1, -1)).toString("latin1")))
    forms.add(unicodeEscapes(variant))
    if (variant === "/") forms.add(String.raw`\\/`)
    // The arguments of a call may be JSON in JSON.
    if (variant === '"') forms.add(String.raw`\\\\\\"`)
    if (variant === "\\") forms.add(String.raw`\\\\\\\\`)
  }
  return `(?:${[...forms].sort((a, b) => b.length - a.length).join("|")})`
}

/** What matches a character when case is ignored, beyond upper and lower case: ſ and s, K (Kelvin) and k, ß and ẞ. */
function foldings(variants: readonly string[], cases: "same" | "any"): string[] {
  if (cases === "same") return [...variants]
  return [...new Set(variants.flatMap((variant) => [variant, ...(FOLDED.get(variant) ?? [])]))]
}

const FOLDED = new Map([
  ["ß", ["ẞ"]],
  ["σ", ["ς"]],
  ["ς", ["σ", "Σ"]],
  ["Σ", ["ς"]],
])

function unicodeEscapes(text: string): string {
  let pattern = ""
  for (let i = 0; i < text.length; i++) {
    const hex = text.charCodeAt(i).toString(16).padStart(4, "0")
    pattern += `\\\\+u${Array.from(hex)
      .map((digit) => (digit < "a" ? digit : `[${digit}${digit.toUpperCase()}]`))
      .join("")}`
  }
  return pattern
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
