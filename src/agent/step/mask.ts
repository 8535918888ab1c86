// Keys in use never reach the model or the log: a mask replaces them in the output of tools, and cannot be written back
// over them. Everything else that a tool reads is exact.

const MASK = "[key removed]"
/** Shorter texts are not a provider's key, and may occur in any file. */
const SHORTEST = 16

export function maskIn(text: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => (key.length < SHORTEST ? rest : rest.replaceAll(key, MASK)), text)
}

/** Whether an edit, given as a unified diff, would add a mask. */
export function writesMask(diff: string): boolean {
  const masks = (sign: string) =>
    diff.split("\n").reduce((sum, line) => sum + (line.startsWith(sign) ? line.split(MASK).length - 1 : 0), 0)
  return masks("+") > masks("-")
}

export const MASK_REFUSED = `Not written: ${MASK} stands for a key that is hidden from you, and would overwrite it. Leave that line as it is, and edit the others.`
