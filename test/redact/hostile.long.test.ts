import { expect, test } from "vitest"
import { repeated } from "./planted.ts"

test.each(["a", "AKIA", "-----BEGIN"])("ten megabytes of %j are searched to their end", (piece) => {
  const secret = `ghp_${"a1".repeat(18)}`
  expect(repeated(piece, 10_000_000, ` ${secret}`).shown).not.toContain(secret)
})
