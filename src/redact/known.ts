// What is known to be secret before anything is read: values of variables, and the person's home folder.
import { findPatterns } from "./pattern/find.ts"
import type { Variable } from "./value/dotenv.ts"
import { isSecretName, isSecretValue } from "./value/secret-name.ts"

export interface KnownSecrets {
  /** The values, each with its description. */
  values: ReadonlyMap<string, string>
  /** The person's home folder; it may have more than one path. */
  homes: readonly string[]
}

export const NOTHING_KNOWN: KnownSecrets = { values: new Map(), homes: [] }

/** For variables with telling names, the value; for others, secrets in the value: a password in a URL, a token. */
export function knownSecrets(variables: readonly Variable[], homes: readonly string[] = []): KnownSecrets {
  const values = new Map<string, string>()
  for (const { name, value } of variables) {
    if (isSecretName(name) && isSecretValue(value) && !values.has(value)) values.set(value, `value of ${name}`)
  }
  for (const { value } of variables) {
    for (const found of findPatterns(value)) {
      if (isSecretValue(found.value) && !values.has(found.value)) values.set(found.value, found.kind)
    }
  }
  return { values, homes: homes.filter((home) => /^\/[^/]/.test(home)).map((home) => home.replace(/\/+$/, "")) }
}
