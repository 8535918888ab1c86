// retcon blame PATH [LINE]: which prompt last changed each line.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { plainText } from "../../model/record/part.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, pad } from "../../model/text/width.ts"
import type { LineWithPrompt } from "../../session/files/blame.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice, withChosenFiles } from "../sessions/select.ts"
import { workspacePath } from "../sessions/workspace-path.ts"

export async function run(
  cli: Cli,
  options: SessionChoice & { path: string; line?: string; json?: boolean },
): Promise<void> {
  const line = options.line === undefined ? undefined : Number(options.line)
  if (line !== undefined && (!Number.isInteger(line) || line < 1)) {
    throw new UsageError(`"${options.line}" is not a line number.`, "Use 1, 2, 3, …")
  }
  await withChosenFiles(cli, options, async (session) => {
    const path = workspacePath(cli, session, options.path)
    if (path === "") {
      const problem = `${options.path} is the folder of this session.`
      throw new RetconError({ code: "invalid", problem, advice: "Name a file in it." })
    }
    const blamed = await session.files.blame(path, line)
    if (blamed.length === 0 && line !== undefined) {
      const advice = "Leave out the line number to see the whole file."
      throw new RetconError({ code: "invalid", problem: `${options.path} has no line ${line}.`, advice })
    }
    if (options.json === true) printJson(cli.out, blamed)
    else await page(cli, screen(cli, session, blamed))
  })
}

const WIDEST = 30

/** The lines of the file. On a screen they are clipped, in a pipe they are complete. */
function* screen(cli: Cli, session: Session, blamed: readonly LineWithPrompt[]): Generator<string> {
  const { width, isTerminal } = cli.out
  const style = styleFor(cli.out)
  const wide = Math.max(6, Math.min(WIDEST, Math.floor((width * 3) / 8)))
  const digits = String(blamed.at(-1)?.line ?? 1).length
  for (const { line, text, prompt } of blamed) {
    const who = prompt === null ? style.quiet : style.id
    const name = clip(prompt === null ? "you, or before" : promptName(session, prompt), wide)
    const number = pad(String(line), digits, "left")
    const content = sanitise(text).replaceAll("\n", "").replaceAll("\t", "    ")
    const shown = isTerminal ? clip(content, width - wide - digits - 3) : content
    yield `${who(pad(name, wide))} ${number}  ${shown}`.trimEnd()
  }
}

function promptName(session: Session, prompt: string): string {
  const record = session.history.record(session.history.rowOf(prompt))
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  return `${shortId(prompt)} ${sanitiseLine(text)}`
}
