// A tool call on one line: what was called, with what, and how much came back.
import type { ToolCallPart, ToolResultPart } from "../../model/record/part.ts"
import { inputWords, resultWords } from "../../model/record/tool-words.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import type { Style } from "./style.ts"

export function toolLine(call: ToolCallPart, result: ToolResultPart | undefined, width: number, style: Style): string {
  const name = sanitiseLine(call.name)
  const back = clip(resultWords(result), Math.floor(width / 2))
  const input = clip(inputWords(call.input), width - widthOf(name) - widthOf(back) - 8)
  const failed = result?.error === true
  return `  ▸ ${style.strong(name)}${input === "" ? "" : ` ${input}`} ${(failed ? style.bad : style.quiet)(`→ ${back}`)}`
}

/** A result whose call is not on the path. */
export function orphanLine(result: ToolResultPart, style: Style): string {
  return style.quiet(`  ▸ result of an unknown call → ${resultWords(result)}`)
}
