// The stops of the time slider: the end of each round on the path.
import { entryId, NONE, prompts, type Row, type Tree } from "../../src/history/tree/tree.ts"

export interface SliderRound {
  /** What the person said. */
  prompt: Row
  /** The last entry of the round, which the page then shows. */
  end: Row
  /** For the diff of the files over this round. */
  from: string
  to: string | undefined
}

export function roundsOnPath(tree: Tree, head: Row): SliderRound[] {
  const starts = prompts(tree, head)
  return starts.map((prompt, index) => {
    const next = starts[index + 1] ?? NONE
    const end = next === NONE ? head : tree.parent(next)
    return { prompt, end, from: entryId(tree, prompt) ?? "", to: entryId(tree, next) ?? undefined }
  })
}
