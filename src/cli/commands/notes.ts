// retcon notes: what agents left for the next session in this folder, and which agent has read it.
import { type FolderNote, readNotes } from "../../app/notes/folder-notes.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { ago } from "../../model/text/amounts.ts"
import { sanitise, wrap } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { printJsonList } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { type Style, styleFor } from "../render/style.ts"

export async function run(cli: Cli, options: { json?: boolean }): Promise<void> {
  const notes = readNotes(cli).reverse()
  if (options.json === true) await printJsonList(cli.out, notes)
  else await page(cli, screen(cli, notes, styleFor(cli.out)))
}

function* screen(cli: Cli, notes: readonly FolderNote[], style: Style): Generator<string> {
  if (notes.length === 0) yield style.quiet("No agent has left a note here.")
  for (const note of notes) {
    yield style.quiet(headingOf(note, cli.now()))
    yield* wrap(sanitise(note.text), cli.out.width - INDENT.length).map((line) => `${INDENT}${line}`.trimEnd())
  }
}

const INDENT = "  "

function headingOf({ by, at, delivered }: FolderNote, now: number): string {
  const left = `Left by ${titleOf(by)} ${ago(at, now)}`
  if (delivered === undefined) return `${left}; waiting for the next agent`
  return `${left}; ${titleOf(delivered.to)} received it ${ago(delivered.at, now)}`
}

function titleOf(agent: string | undefined): string {
  return agent === undefined ? "an agent" : agentTitle(agent)
}
