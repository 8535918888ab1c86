// What an agent says: paragraphs, a list, code. The same text for all that are measured.

const PARAGRAPH =
  "The **parser** reads a line at a time and keeps what it cannot read, so a torn last line is _sealed_ by the next " +
  "append and nothing is glued to it. See `src/store/file/log/log.ts` for where that is done, and why it matters here.\n\n"
const LIST =
  "1. open the log\n2. read the index, or make it\n3. answer the head\n   - which is a row\n   - and not a text\n\n"
const CODE =
  '```ts\nexport function headOf(log: Log): Row {\n  // The last operation wins.\n  const { rows } = log\n  return rows.at(-1) ?? "none"\n}\n```\n\n'
const TABLE = "| figure | ours | floor |\n|---|---:|---:|\n| open | 4.1 ms | 3.2 ms |\n| append | 31 µs | 12 µs |\n\n"

/** Tokens of four characters, as a model streams them. */
export function tokensOf(count: number): string[] {
  const text = (PARAGRAPH + LIST + PARAGRAPH + CODE + PARAGRAPH + TABLE).repeat(Math.ceil(count / 200) + 1)
  return Array.from({ length: count }, (_, n) => text.slice(n * 4, n * 4 + 4))
}
