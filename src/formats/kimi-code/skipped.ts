// Most of a session is records of requests and usage. They are recognised by their first bytes and not parsed.

const TYPE = Buffer.from('{"type":"')
const CLOSE = 125
const QUOTE = 34

/** Whether it is a line of a kind that makes no row, as the program writes it: complete, with the type first. */
export function isSkipped(bytes: Buffer, start: number, end: number): boolean {
  const from = start + TYPE.length
  if (bytes[end - 1] !== CLOSE || from > end || bytes.compare(TYPE, 0, TYPE.length, start, from) !== 0) return false
  const quote = bytes.indexOf(QUOTE, from)
  return quote !== -1 && quote < end && !READ.has(bytes.toString("latin1", from, quote))
}

const READ = new Set([
  "profile.bind",
  "config.update",
  "context.append_message",
  "context.append_loop_event",
  "context.apply_compaction",
  "context.clear",
  "context.undo",
  "agent.switched",
])
