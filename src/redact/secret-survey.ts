// The first pass over what will be shown: finds secrets, so that one revealed only by its context is known everywhere.
import { type Finder, makeFinder, type Pieces } from "./finder.ts"
import type { KnownSecrets } from "./known.ts"
import { isNamedSecret } from "./value/named-secret.ts"
import { isSecretValue } from "./value/secret-name.ts"

export interface SecretSurvey {
  /** The values seen, each with its description. */
  readonly found: ReadonlyMap<string, string>
  see(pieces: Pieces): void
  /** A value with its name in a call, a record or a file. */
  seeNamed(name: string, value: string): void
  /** Finds known values and those seen. */
  finder(): Finder
}

/** Longer values are found only where their context reveals them. */
const LONGEST = 4096
/** The limit for all values together, so that a hostile session cannot exhaust the memory. */
const MOST = 4_000_000

export function makeSecretSurvey(known: KnownSecrets): SecretSurvey {
  const find = makeFinder(known.values)
  const found = new Map<string, string>()
  const note = (value: string, kind: string) => {
    if (!found.has(value)) found.set(value, kind)
  }
  return {
    found,
    see(pieces) {
      for (const { value, kind } of find(pieces)) note(value, kind)
    },
    seeNamed(name, value) {
      if (/^[\w.-]{1,64}$/.test(name) && isNamedSecret(name, value)) note(value, `value of ${name}`)
    },
    finder() {
      const values = new Map(known.values)
      let size = 0
      for (const [value, kind] of found) {
        if (values.has(value) || value.length > LONGEST || !isSecretValue(value)) continue
        size += value.length
        if (size > MOST) break
        values.set(value, kind)
      }
      return makeFinder(values)
    },
  }
}
