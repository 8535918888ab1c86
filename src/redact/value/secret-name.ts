// Which variables contain secrets, judged by their names and values.
import { isPlaceholder } from "./placeholder.ts"

/** In any part of a name. */
const ALWAYS = /PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIAL|APIKEY|AUTHORIZATION/
const WORDS = new Set(["KEY", "TOKEN", "PASS", "PWD", "PSW", "PAT", "JWT"])
const TELLING = /key|token|pass|pwd|psw|pat|jwt|secret|credential|authorization/i
/** What such a name is about instead: where the key is, how long, how many. */
const ABOUT = new Set(
  `PATH FILE DIR FOLDER NAME TYPE LENGTH SIZE COUNT LIMIT URL URI HOST PORT TTL TIMEOUT EXPIRES EXPIRY FORMAT ALGORITHM
  VERSION ENABLED REGION`.split(/\s+/),
)

/** Contract: `GITHUB_TOKEN`, `apiKey`, `DB_PASSWORD` and the like; not `PWD`, `PUBLIC_KEY`, `SSH_KEY_PATH`, `MAX_TOKENS`. */
export function isSecretName(name: string): boolean {
  if (!TELLING.test(name)) return false
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "")
  if (ABOUT.has(words.at(-1) ?? "")) return false
  if (ALWAYS.test(words.join("_")) || ALWAYS.test(words.join(""))) return true
  if (words.includes("PUBLIC") || words.join("_") === "PWD") return false
  return words.some((word) => WORDS.has(word))
}

const SHORTEST = 8
const FEWEST_CHARACTERS = 4
const ENOUGH = 64
const NUMBER = /^[\d.,:+-]{0,15}$/
const PATH = /^(?:~|\.{1,2})?(?:\/[\w.@ -]{0,32})+$/

/** Contract: long enough to search for in a text, and not a word, number, address or path with another purpose. */
export function isSecretValue(value: string): boolean {
  if (value.length < SHORTEST || isPlaceholder(value)) return false
  if (NUMBER.test(value) || PATH.test(value) || value.includes("://")) return false
  return new Set(value.slice(0, ENOUGH)).size >= FEWEST_CHARACTERS
}
