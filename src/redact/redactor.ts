// Replaces secrets by marks: equal values by the same mark, so that a reader can still follow who used what.
import type { Pieces } from "./finder.ts"
import type { KnownSecrets } from "./known.ts"
import type { SecretSurvey } from "./secret-survey.ts"

export interface Redactor {
  /** Contract: returns as many pieces as it gets. A secret that spans two of them leaves its mark in the first. */
  show(pieces: Pieces): string[]
  /** The values replaced so far, each with its description. */
  readonly replaced: ReadonlyMap<string, string>
  /** Whether the person's home folder has occurred so far. */
  readonly home: boolean
}

export function makeRedactor(survey: SecretSurvey, known: KnownSecrets): Redactor {
  const find = survey.finder()
  const replaced = new Map<string, string>()
  const marks = new Map<string, string>()
  const homes = known.homes.map((path) => ({ path, pattern: homePattern(path) }))
  let home = false

  function markFor(value: string, kind: string): string {
    const mark = marks.get(value) ?? `[secret ${marks.size + 1}: ${survey.found.get(value) ?? kind}]`
    marks.set(value, mark)
    replaced.set(value, survey.found.get(value) ?? kind)
    return mark
  }

  function withoutHome(text: string): string {
    let shorter = text
    for (const { path, pattern } of homes) if (shorter.includes(path)) shorter = shorter.replace(pattern, "~")
    home ||= shorter !== text
    return shorter
  }

  return {
    replaced,
    get home() {
      return home
    },
    show(pieces) {
      const shown = pieces.map(() => "")
      const text = pieces.join("")
      const spans = find(pieces)
      let next = 0
      let at = 0
      let start = 0
      for (const [index, piece] of pieces.entries()) {
        const end = start + piece.length
        const parts: string[] = []
        at = Math.max(at, start)
        for (let span = spans[next]; span !== undefined && span.from < end; span = spans[++next]) {
          parts.push(withoutHome(text.slice(at, span.from)), markFor(span.value, span.kind))
          at = span.to
        }
        if (at < end) parts.push(withoutHome(text.slice(at, end)))
        shown[index] = parts.join("")
        start = end
      }
      return shown
    },
  }
}

/** Matches the home folder, but not a folder whose name merely begins like it. */
function homePattern(home: string): RegExp {
  return new RegExp(`${home.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\w-]|\\.\\w)`, "g")
}
