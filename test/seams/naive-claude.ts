// A session of Claude Code, replayed by the rule of that program's own loader, with what retcon's log says of each move in it.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { type Line, linesIn, type NaiveLog, Replay } from "./naive-log.ts"

export const CLAUDE_PROGRAM = join(import.meta.dirname, "claude-program.cjs")

interface ClaudeLine {
  type: string
  uuid?: string
  parentUuid?: string | null
  message?: { role: string; content: string | ClaudeBlock[] }
  retcon?: { operation?: string }
}

interface ClaudeBlock {
  type: string
  text?: string
  id?: string
  name?: string
  input?: { file_path: string; content: string }
  tool_use_id?: string
}

const { leafOf, linesOf } = createRequire(import.meta.url)(CLAUDE_PROGRAM) as {
  leafOf: (lines: readonly ClaudeLine[]) => string | null
  linesOf: (file: string) => ClaudeLine[]
}

/** `file`: Claude Code's. `ours`: retcon's log of it. */
export function naiveClaude(file: string, ours: string): NaiveLog {
  const own = existsSync(ours) ? linesIn(ours).filter(({ type }) => type !== "session") : []
  const replay = new Replay()
  const seen = new Set<string | null>([null])
  const lines = linesOf(file)
  const movedAt = new Map(lines.map((line, at) => [line.retcon?.operation, at]))
  /** Moves of the files alone are only in our log, in order with the others. */
  const take = (until: (line: Line) => boolean) => {
    while (own[0] !== undefined && !until(own[0])) {
      const [line] = own.splice(0, 1) as [Line]
      if (line.type !== "operation") replay.lines.push(line)
      else if (line.head?.from === line.head?.to) replay.operation(line)
    }
  }
  for (const [at, line] of lines.entries()) {
    const moved = line.retcon?.operation
    if (moved !== undefined) {
      take(({ id }) => id === moved)
      const [operation] = own.splice(0, 1)
      if (operation === undefined) throw new Error(`retcon's log has no operation ${moved}`)
      replay.operation(operation)
      seen.add(moved)
    } else if (line.message !== undefined) {
      take(({ id, after }) => !seen.has(after ?? null) || (movedAt.get(id) ?? -1) > at)
      replay.entry(asLine(line))
      seen.add(line.uuid ?? null)
    }
    replay.stand(leafOf(lines.slice(0, at + 1)))
  }
  take(() => false)
  return replay.result()
}

function asLine({ uuid = "", parentUuid = null, message }: ClaudeLine): Line {
  const blocks = message?.content ?? []
  if (typeof blocks === "string") {
    const content = [{ type: "text", text: blocks }]
    return { id: uuid, type: "message", parent: parentUuid, role: "user", origin: "prompt", content }
  }
  const content = blocks.map((block) => {
    const { type, id = "", name = "", input, tool_use_id: call = "" } = block
    if (type === "tool_use") {
      const written = { path: basename(input?.file_path ?? ""), content: input?.content }
      return { type: "tool-call", call: id, name, input: written }
    }
    return type === "tool_result" ? { type: "tool-result", call } : { type, text: block.text ?? "" }
  })
  const role = blocks.some(({ type }) => type === "tool_result") ? "tool" : (message?.role ?? "")
  return { id: uuid, type: "message", parent: parentUuid, role, content }
}
