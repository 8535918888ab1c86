// A unified diff of two texts, for the person to approve.
import { printHunks } from "./hunks.ts"

/** Empty if the texts are equal. `before` undefined: the file is new. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return ""
  const header = `--- ${before === undefined ? "/dev/null" : `a/${path}`}\n+++ b/${path}\n`
  return header + printHunks(lines(before ?? ""), lines(after))
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/)
}
