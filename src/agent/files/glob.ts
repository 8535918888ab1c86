// Path patterns: `*`, `?`, `[…]`, `{a,b}`, and `**` for any number of folders.

/** Contract: matches whole paths with `/`. A malformed pattern matches itself. */
export function globToRegExp(pattern: string): RegExp {
  return new RegExp(`^${globSource(pattern)}$`, "s")
}

/** A pattern that matches exactly this path. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&")
}

function globSource(pattern: string): string {
  let source = ""
  let depth = 0
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string
    const rest = pattern.slice(i)
    if (rest.startsWith("**/") && (i === 0 || pattern[i - 1] === "/")) {
      source += "(?:[^/]+/)*"
      i += 2
    } else if (rest === "**" && (i === 0 || pattern[i - 1] === "/")) {
      source += ".+"
      i++
    } else if (char === "*") {
      source += "[^/]*"
      while (pattern[i + 1] === "*") i++
    } else if (char === "?") source += "[^/]"
    else if (char === "[") {
      const set = characterSet(rest)
      source += set?.source ?? "\\["
      i += (set?.length ?? 1) - 1
    } else if (char === "{" && isClosed(rest)) {
      source += "(?:"
      depth++
    } else if (char === "}" && depth > 0) {
      source += ")"
      depth--
    } else if (char === "," && depth > 0) source += "|"
    else if (char === "\\" && i + 1 < pattern.length) source += escaped(pattern[++i] as string)
    else source += escaped(char)
  }
  return source
}

const escaped = (char: string) => char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")

function characterSet(rest: string): { source: string; length: number } | undefined {
  const found = /^\[([!^]?)(\]?(?:\\.|[^\]\\/])*)\]/.exec(rest)
  if (found === null || found[2] === "") return undefined
  const inside = (found[2] as string).replace(/[\\[\]^]/g, (char) => `\\${char}`)
  const source = `[${found[1] === "" ? "" : "^/"}${inside}]`
  return isRegExp(source) ? { source, length: found[0].length } : undefined
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function isClosed(rest: string): boolean {
  let depth = 0
  for (let i = 0; i < rest.length; i++) {
    if (rest[i] === "\\") i++
    else if (rest[i] === "{") depth++
    else if (rest[i] === "}" && --depth === 0) return true
  }
  return false
}
