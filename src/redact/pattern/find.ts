// All secrets that a text reveals by itself.
import { assignments } from "./assignments.ts"
import { awsSecrets } from "./aws.ts"
import { headers } from "./headers.ts"
import { privateKeys } from "./private-keys.ts"
import { tokens } from "./secret-tokens.ts"
import type { SecretSpan } from "./span.ts"
import { urlPasswords } from "./urls.ts"
import { webTokens } from "./web-tokens.ts"

/**
 * Contract: takes time in proportion to the text, whatever it contains. The most specific kind of a secret comes first.
 */
export function findPatterns(text: string): SecretSpan[] {
  const found = [...privateKeys(text), ...tokens(text), ...webTokens(text)]
  const ids = found.filter(({ kind }) => kind === "AWS access key").sort((a, b) => a.from - b.from)
  return [...found, ...awsSecrets(text, ids), ...urlPasswords(text), ...headers(text), ...assignments(text)]
}
