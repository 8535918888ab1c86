// What Codex sends of a long result when it resumes: its beginning and its end.

/**
 * How many bytes: 1.2 times what it takes from a tool. For some models it counts tokens instead, of four bytes each; which model
 * will resume the session is not known.
 */
const SENT_OF_A_RESULT = 12_000

export const CUT =
  "the middle of a long result: of each, Codex sends about 12,000 bytes when it resumes, or 48,000, depending on the model"

/** Whether it may send only a part of this output. */
export function isCut(output: string): boolean {
  return Buffer.byteLength(output) > SENT_OF_A_RESULT
}
