// A value that its name gives away, in a text or in what a tool was called with.
import { isSecretName, isSecretValue } from "./secret-name.ts"

/** A value, not the name of one, a type or a call: letters, and digits or signs that names do not have. */
const LOOKS_SECRET = /^(?=.*[A-Za-z])(?=.*[^A-Za-z_.$:-])[^()\s]+$/
/** Much is called so that is no secret. */
const VAGUE = /^(?:key|token|pass|pat|jwt)$/i
const SHORTEST_OF_VAGUE = 16
/** So much of a value says what it is. */
const HEAD = 128

/** Contract: stricter than for variables, whose values are known to be used: in a text it may be an example or code. */
export function isNamedSecret(name: string, value: string): boolean {
  if (!isSecretName(name) || (VAGUE.test(name) && value.length < SHORTEST_OF_VAGUE)) return false
  const head = value.slice(0, HEAD)
  return isSecretValue(head) && LOOKS_SECRET.test(head)
}
