import { expect, test } from "vitest"
import { accessTo, FORMAT } from "../../src/model/record/version.ts"

test.each([
  ["our own version is read and written", 0, 0, "full"],
  ["an older one too", -1, -1, "full"],
  ["one that only writes more is read, and not appended to", 0, 1, "read-only"],
  ["one that must not be read by us is refused", 1, 1, "refused"],
  ["one that must not be read is refused, whatever it says of writing", 1, 0, "refused"],
])("%s", (_, reads, writes, access) => {
  expect(accessTo({ reads: FORMAT.reads + reads, writes: FORMAT.writes + writes })).toBe(access)
})
