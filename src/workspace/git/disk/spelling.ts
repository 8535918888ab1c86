// Names that differ only in case, or in how an accent is encoded: on many file systems they name the same file.
import { foldersAbove } from "../../port.ts"

/** Contract: equal for all names that some file system treats as the same. */
export function folded(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC")
}

/** Those of these paths, and of the folders above them, that occur in more than one spelling. */
export function speltTwice(paths: Iterable<string>): Set<string> {
  const bySpelling = new Map<string, Set<string>>()
  for (const path of paths) {
    for (const each of [path, ...foldersAbove(path)]) {
      const key = folded(each)
      const known = bySpelling.get(key)
      if (known === undefined) bySpelling.set(key, new Set([each]))
      else known.add(each)
    }
  }
  return new Set([...bySpelling.values()].filter((each) => each.size > 1).flatMap((each) => [...each]))
}
