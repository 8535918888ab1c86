// Paths of the workspace that fit what was typed after `@`: the name counts more than the folders.
import { basename, relative } from "node:path"
import { walk } from "../../agent/files/walk.ts"

const MOST_LOOKED_AT = 20_000
const MOST_FOUND = 50

export function completeFiles(root: string): (prefix: string, signal: AbortSignal) => Promise<string[]> {
  return async (prefix, signal) => {
    const wanted = prefix.toLowerCase()
    const found: { path: string; rank: number }[] = []
    let looked = 0
    try {
      for await (const file of walk(root, { root, signal })) {
        if (++looked > MOST_LOOKED_AT) break
        const path = relative(root, file)
        const rank = rankOf(path.toLowerCase(), wanted)
        if (rank !== undefined) found.push({ path, rank })
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
    return found
      .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length)
      .slice(0, MOST_FOUND)
      .map(({ path }) => path)
  }
}

/** Lower is better: path starts so, name starts so, name holds it, path holds it, its letters come in this order. */
function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0
  const name = basename(path)
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  if (path.includes(wanted)) return 3
  let at = 0
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1
    if (at === 0) return undefined
  }
  return 4
}
