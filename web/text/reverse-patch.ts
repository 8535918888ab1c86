// Reverses a unified diff: the server returns what changed since then, but a restore goes from now to then.

export function reversePatch(patch: string): string {
  const lines: string[] = []
  let [added, removed]: [string[], string[]] = [[], []]
  let inHunk = false
  const flush = () => {
    lines.push(...removed, ...added)
    added = []
    removed = []
  }
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) inHunk = false
    if (line.startsWith("@@")) inHunk = true
    if (inHunk && line.startsWith("+")) removed.push(`-${line.slice(1)}`)
    else if (inHunk && line.startsWith("-")) added.push(`+${line.slice(1)}`)
    else if (inHunk && line.startsWith("\\")) (added.length > 0 && removed.length === 0 ? added : removed).push(line)
    else {
      flush()
      lines.push(inHunk ? hunk(line) : head(line))
    }
  }
  flush()
  return lines.join("\n")
}

function hunk(line: string): string {
  return line.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@")
}

function head(line: string): string {
  if (line.startsWith("--- ")) return `+++ ${line.slice(4).replace(/^a\//, "b/")}`
  if (line.startsWith("+++ ")) return `--- ${line.slice(4).replace(/^b\//, "a/")}`
  return line
}
