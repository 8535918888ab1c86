// Runs the console blocks of one Markdown file and says, per block, where the docs and the program disagree.
import { type Block, consoleBlocks, type Step } from "./console-blocks.ts"
import { drawDifference, type Ids, matchOutput, withActualIds } from "./output-match.ts"
import { type Answer, Shell } from "./shell.ts"

export interface BlockResult {
  block: Block
  /** One text per command that did not do what the docs show; empty when all did. */
  problems: string[]
}

/** Runs the blocks in order in one shell. `name` is how the file is called in the problems. */
export async function runDocs(name: string, markdown: string): Promise<BlockResult[]> {
  const shell = new Shell()
  const results: BlockResult[] = []
  let ids: Ids = new Map()
  try {
    for (const block of consoleBlocks(markdown).filter(({ run }) => run)) {
      const problems: string[] = []
      for (const step of block.steps) {
        const answer = await shell.run(withActualIds(step.command, ids))
        const matched = matchOutput(withoutBlankEnd(step.expected), withoutBlankEnd(answer.output), ids)
        if (matched === undefined || answer.exit !== step.exit) problems.push(describeProblem(name, step, answer, ids))
        ids = matched ?? ids
      }
      results.push({ block, problems })
    }
  } finally {
    shell.close()
  }
  return results
}

function describeProblem(name: string, step: Step, { output, exit }: Answer, ids: Ids): string {
  const ended = exit === step.exit ? [] : [`  expected exit ${step.exit}, got ${exit ?? "the end of the shell"}`]
  const lines = drawDifference(withoutBlankEnd(step.expected), withoutBlankEnd(output), ids)
  return [`${name}:${step.line}: $ ${step.command}`, ...ended, lines].join("\n")
}

function withoutBlankEnd(lines: string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1)
}
