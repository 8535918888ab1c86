// Lines that match a model's regular expression. It runs where a timer can stop it: some never end.
import { createContext, Script } from "node:vm"
import { errno } from "../../model/failure/errno.ts"
import type { Parsed } from "../../model/json.ts"

export interface Match {
  line: number
  text: string
}

/** The matches of each text, or why there are none. */
export type Matcher = (texts: readonly string[]) => Parsed<Match[][]>

const TIME_LIMIT = 2000
const MOST_MATCHES = 400

const SCRIPT = new Script(`
  (() => {
    const expression = new RegExp(source, flags)
    return texts.map((text) => {
      const found = []
      const lines = text.split(/\\r?\\n/)
      // What follows the last line break is a line only if it is not empty.
      if (lines.at(-1) === "") lines.pop()
      for (let i = 0; i < lines.length && found.length < ${MOST_MATCHES}; i++) {
        if (expression.test(lines[i])) found.push({ line: i + 1, text: lines[i] })
      }
      return found
    })
  })()
`)

export function createMatcher(pattern: string): Parsed<Matcher> {
  const flags = pattern.startsWith("(?i)") ? "i" : ""
  const source = flags === "i" ? pattern.slice(4) : pattern
  try {
    new RegExp(source, flags).test("")
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problem: error.message }
    throw error
  }
  const sandbox = createContext({ source, flags, texts: [] as readonly string[] })
  const matcher: Matcher = (texts) => {
    sandbox.texts = texts
    try {
      return { ok: true, value: SCRIPT.runInContext(sandbox, { timeout: TIME_LIMIT }) as Match[][] }
    } catch (error) {
      if (errno(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
      return { ok: false, problem: "The pattern takes too long to match. Make it simpler." }
    }
  }
  return { ok: true, value: matcher }
}
