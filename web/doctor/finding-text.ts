// One of the doctor's findings, in words.
import type { FoundProblem } from "../../src/protocol/shapes.ts"

const MOST_NAMED = 8

/** Such as "Lines 3 and 7 cannot be read: … What it means. What to do." */
export function findingText({
  line,
  lines = line === undefined ? [] : [line],
  what,
  means,
  advice,
}: FoundProblem): string {
  const named = lines.slice(0, MOST_NAMED).join(", ")
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : ""
  const where = lines.length === 0 ? "" : `${lines.length === 1 ? "Line" : "Lines"} ${named}${more}: `
  return [`${where}${what}${/[.!?]$/.test(what) ? "" : "."}`, means, advice].filter((text) => text !== "").join(" ")
}
