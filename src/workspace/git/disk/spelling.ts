// Names that differ only in case, or in how an accent is written: on many file systems they are one and the same file.

import { foldersAbove } from "../../path.ts"

/** Contract: equal for all names that some file system takes for the same. */
export function folded(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC")
}

/** Of all paths and the folders above them, those that have another spelling among them. */
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
