// What Codex sends when it resumes a file, as simply as it can be said. Codex 0.166.0 and 0.169.0 themselves sent the same for
// files like those that the property makes.
type Line = { type: string; payload: Item }
type Item = {
  type?: string
  role?: string
  turn_id?: string
  num_turns?: number
  content?: { text: string }[]
  replacement_history?: Item[]
}

const CONTEXT = /^<(environment_context|user_shell_command)>.*<\/\1>$/s

export function naiveReplay(file: string): string[] {
  const lines = file
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line)
  const base = survivingBase(lines)
  let history = [...(lines[base]?.payload.replacement_history ?? [])]
  for (const { type, payload } of lines.slice(base + 1)) {
    if (type === "response_item") history.push(payload)
    if (payload.type === "thread_rolled_back") history = dropped(history, payload.num_turns ?? 0)
  }
  return history.map(textOf)
}

/** The newest compaction in a turn that no rollback passes over, or -1. Each rollback passes over so many turns with a prompt. */
function survivingBase(lines: readonly Line[]): number {
  let [left, asked, base] = [0, false, -1]
  for (let at = lines.length - 1; at >= 0; at--) {
    const { type, payload } = lines[at] as Line
    if (type === "compacted" && base === -1) base = at
    if (type === "response_item" && counts(payload)) asked = true
    if (payload.type === "thread_rolled_back") left += payload.num_turns ?? 0
    if (payload.type !== "task_started" && at > 0) continue
    if (left === 0 && base !== -1) return base
    if (left > 0 && asked) left--
    asked = false
    base = -1
  }
  return -1
}

function dropped(history: readonly Item[], count: number): Item[] {
  const counted = history.flatMap((item, at) => (counts(item) ? [at] : []))
  const first = counted[0]
  if (first === undefined || count === 0) return [...history]
  let end = counted.at(-count) ?? first
  while (end > first && CONTEXT.test(textOf(history[end - 1] as Item))) end--
  return history.slice(0, end)
}

const counts = (item: Item) => item.role === "user" && !CONTEXT.test(textOf(item))
const textOf = (item: Item) => (item.content ?? []).map(({ text }) => text).join("")
