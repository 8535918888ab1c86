// An opencode session as lines: first its header, then its messages with their parts, as `opencode export` writes them. All rows
// are made from these, wherever a session is stored.
import type { JsonObject } from "../../model/json.ts"

export interface SessionLines {
  info: JsonObject
  messages: Iterable<{ info: JsonObject; parts: readonly JsonObject[] }>
}

/** Larger sessions are read up to here: a whole session has to be in memory. */
const MOST = 256 * 1024 * 1024

export const TOO_LARGE = "the rest is not read: retcon reads at most 256 MB of an opencode session"

/** `problem`: called at the end for what could not be read. It becomes a line that is not JSON, and so is shown as damage. */
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

/** Leaves out a value that is nested too deeply to print. */
function line(value: JsonObject): Buffer {
  try {
    return Buffer.from(`${JSON.stringify(value)}\n`)
  } catch {
    return Buffer.from("a message that is nested too deeply\n")
  }
}
