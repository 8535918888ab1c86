// Bytes compared where they stand, without a copy.

/** Whether `expected` stands in `bytes` at `at`. */
export function matches(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false
  return true
}
