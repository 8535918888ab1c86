// Which files each round changed, at once; how many lines, as soon as they are counted.
import type { MovedFile } from "../../../model/move/moved.ts"
import type { RoundAnswer, SessionContents } from "../../../protocol/host.ts"
import { attempt } from "../frame/attempt.ts"

export interface FilesByRound {
  of(row: number): readonly MovedFile[]
  /** These rows are on the screen: counts lines for them, one round after the other. */
  want(rows: readonly number[]): void
  stop(): void
}

/** `rounds`: newest first. */
export function makeRoundFiles(
  session: SessionContents,
  rounds: readonly RoundAnswer[],
  redraw: () => void,
): FilesByRound {
  const counted = new Map<number, readonly MovedFile[]>()
  let wanted: readonly number[] = []
  let counting = false
  let stopped = false

  async function countAll(): Promise<void> {
    counting = true
    for (let row = next(); row !== undefined; row = next()) {
      counted.set(row, await countLines(row))
      redraw()
    }
    counting = false
  }

  function next(): number | undefined {
    return stopped ? undefined : wanted.find((row) => !counted.has(row) && (rounds[row]?.files.length ?? 0) > 0)
  }

  async function countLines(row: number): Promise<readonly MovedFile[]> {
    const round = rounds[row] as RoundAnswer
    const to = rounds[row - 1]?.prompt ?? "head"
    const paths = round.files.map(({ path }) => path)
    const answer = await attempt(() => session.diff({ from: round.prompt, to, paths }))
    if (answer.outcome === "refused") return round.files
    const lines = new Map(answer.files.map((file) => [file.path, file]))
    return round.files.map((file) => ({ ...lines.get(file.path), ...file }))
  }

  return {
    of: (row) => counted.get(row) ?? rounds[row]?.files ?? [],
    want(rows) {
      wanted = rows
      if (!counting && next() !== undefined) void countAll()
    },
    stop() {
      stopped = true
    },
  }
}
