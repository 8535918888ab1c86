// The lines that both sides changed, as they are now and as they were then, one above the other.
import type { Conflict } from "../../../model/move/file-outcomes.ts"
import { sanitise } from "../../../model/text/sanitise.ts"
import type { Theme } from "../../terminal/theme.ts"
import { hardWrap } from "../../text/hard-wrap.ts"
import { makeLine, piece } from "../../text/line.ts"

const START = "  "

export function versionLines(theme: Theme, { parts, holds }: Conflict, width: number): string[] {
  const held = holds === undefined ? [] : hardWrap(`It contains ${holds}, which snapshots do not cover.`, width - 2)
  const places = parts.flatMap(({ line, now, before }) => [
    makeLine([START, piece(`line ${line}`, theme.quiet)], width),
    ...side("now ", now, theme.good),
    ...side("then", before, theme.bad),
  ])
  return [...held.map((text) => makeLine([START, text], width)), ...places]

  function side(name: string, text: string, paint: (text: string) => string): string[] {
    const whole = sanitise(text).replace(/\n$/, "")
    const lines = text === "" ? ["(nothing)"] : whole.split("\n")
    const room = Math.max(8, width - START.length - name.length - 3)
    return lines
      .flatMap((line) => hardWrap(line, room))
      .map((line, i) => {
        const gutter = i === 0 ? name : " ".repeat(name.length)
        return makeLine([START, piece(`${gutter} │ `, theme.quiet), piece(line, paint)], width)
      })
  }
}
