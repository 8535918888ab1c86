// A question at the terminal about a text that may be longer than the screen: all of it is paged before asking.
import type { Cli } from "../port/cli.ts"

const DEFAULT_HEIGHT = 24
/** Lines of a screen that a page leaves for the question. */
const KEPT = 4

/**
 * Contract: returns the person's answer once all lines were shown; "n" if they refused before. `choices` are separate
 * lines, shown with the last page.
 */
export async function askPaged(
  { in: input, err }: Pick<Cli, "in" | "err">,
  lines: readonly string[],
  asked: { choices: readonly string[]; question: string },
  signal?: AbortSignal,
): Promise<string> {
  const room = Math.max(1, (err.height ?? DEFAULT_HEIGHT) - KEPT - asked.choices.length)
  for (let at = 0; at < lines.length; at += room) {
    const page = lines.slice(at, at + room)
    err.write(`${page.join("\n")}\n`)
    const end = at + page.length
    if (end >= lines.length) break
    const said = await input.ask(`Lines ${at + 1}–${end} of ${lines.length}. Enter shows more, n refuses: `, signal)
    if (signal?.aborted === true) return ""
    if (/^no?$/i.test(said.trim())) return "n"
  }
  for (const choice of asked.choices) err.write(`${choice}\n`)
  return input.ask(asked.question, signal)
}
