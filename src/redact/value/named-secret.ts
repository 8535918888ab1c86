// A value revealed by its name, in a text or in a tool's input.
import { isSecretName, isSecretValue } from "./secret-name.ts"

/** A value rather than the name of one, a type or a call: letters, plus digits or signs that names do not have. */
const LOOKS_SECRET = /^(?=.*[A-Za-z])(?=.*[^A-Za-z_.$:-])[^()\s]+$/
/** Names that many things have that are not secret. */
const VAGUE = /^(?:key|token|pass|pat|jwt)$/i
const SHORTEST_OF_VAGUE = 16
/** This much of a value shows what it is. */
const HEAD = 128

/**
 * Contract: stricter than for variables, whose values are known to be in use: in a text it may be an example or code.
 */
export function isNamedSecret(name: string, value: string): boolean {
  if (!isSecretName(name) || (VAGUE.test(name) && value.length < SHORTEST_OF_VAGUE)) return false
  const head = value.slice(0, HEAD)
  return isSecretValue(head) && LOOKS_SECRET.test(head)
}
