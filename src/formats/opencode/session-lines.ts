// A session of opencode as lines: first what it is, then its messages with their parts, as in what `opencode export` writes.
// All rows are made from these, wherever a session is kept.
import type { JsonObject } from "../../model/json.ts"

export interface SessionLines {
  info: JsonObject
  messages: Iterable<{ info: JsonObject; parts: readonly JsonObject[] }>
}

/** Larger sessions are read up to here: all of one has to be in memory. */
const MOST = 256 * 1024 * 1024

export const TOO_LARGE = "what follows is not read: a session of opencode may have 256 MB here"

/** `problem`: asked for at the end: what could not be read. It becomes a line that is no JSON, and so is shown as damage. */
export function printLines({ info, messages }: SessionLines, problem: () => string | undefined): Buffer {
  const lines = [line({ info })]
  let size = 0
  for (const message of messages) {
    const bytes = line(message as unknown as JsonObject)
    size += bytes.length
    if (size > MOST) {
      lines.push(Buffer.from(`${TOO_LARGE}\n`))
      break
    }
    lines.push(bytes)
  }
  const wrong = problem()
  if (wrong !== undefined) lines.push(Buffer.from(`${wrong.replaceAll("\n", " ")}\n`))
  return Buffer.concat(lines)
}

/** What is nested too deep to print is left out. */
function line(value: JsonObject): Buffer {
  try {
    return Buffer.from(`${JSON.stringify(value)}\n`)
  } catch {
    return Buffer.from("a message that is nested too deep\n")
  }
}
