// A session of pi, replayed as pi reads it: it continues from the last line. Entries are named by the ends of their ids, as in its file.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Line, linesIn, type NaiveLog, Replay } from "./naive-log.ts"

export const PI_PROGRAM = join(import.meta.dirname, "pi-program.cjs")

interface PiLine {
  type: string
  id: string
  parentId?: string | null
  message?: { role: string; content: { type: string; text?: string }[] }
  data?: { operation: string }
}

/** How pi's own file names an entry of retcon's. */
export function piName<Id extends string | null | undefined>(id: Id): Id {
  return (typeof id === "string" ? id.slice(-8) : id) as Id
}

/** `file`: pi's. `ours`: retcon's log of it. */
export function naivePi(file: string, ours: string): NaiveLog {
  const replay = new Replay()
  const own = existsSync(ours) ? linesIn(ours) : []
  for (const line of own) if (line.type === "label") replay.lines.push({ ...line, entry: piName(line.entry ?? "") })
  /** Where a line leads: itself, or what one of retcon's moves names. */
  const leads = new Map<string | null, string | null>([[null, null]])
  const lines = readFileSync(file, "utf8").split("\n").slice(1, -1)
  const isKnown = (id: string | null) => leads.has(piName(id))
  /** Moves of the files alone are only in our log, after what was the last line then. */
  const alone = own.filter(({ type, head }) => type === "operation" && head?.from === head?.to)
  const take = () => {
    while (alone[0] !== undefined && isKnown(alone[0].after ?? null)) {
      const operation = named(alone.shift() as Line, isKnown)
      replay.operation(operation)
      leads.set(operation.id, operation.head?.to ?? null)
    }
  }
  for (const { id, parentId = null, message, data } of lines.map((line) => JSON.parse(line) as PiLine)) {
    take()
    const above = leads.get(parentId) ?? null
    leads.set(id, data === undefined ? id : above)
    if (data !== undefined) {
      const operation = own.find((line) => line.id === data.operation)
      if (operation === undefined) throw new Error(`retcon's log has no operation ${data.operation}`)
      replay.operation(named(operation, isKnown))
    } else {
      const role = message?.role ?? ""
      const prompt = role === "user" ? { origin: "prompt" } : {}
      replay.entry({ id, type: "message", parent: above, role, content: message?.content ?? [], ...prompt })
    }
  }
  take()
  return replay.result()
}

/** Where pi itself went elsewhere it wrote no line, so what takes that back names nothing that is in its file. */
function named({ undoes, ...operation }: Line, isKnown: (id: string) => boolean): Line {
  const head = { from: piName(operation.head?.from ?? null), to: piName(operation.head?.to ?? null) }
  const undone = undoes !== undefined && isKnown(undoes) ? { undoes: piName(undoes) } : {}
  return { ...operation, id: piName(operation.id), head, ...undone }
}
