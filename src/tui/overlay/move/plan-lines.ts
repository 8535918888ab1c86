// A dry run in full: what is left, what it costs, which files change, which stay and why.
import { count } from "../../../model/text/amounts.ts"
import { wrap } from "../../../model/text/wrap.ts"
import type { MoveAnswer } from "../../../protocol/shapes.ts"
import type { Theme } from "../../terminal/theme.ts"
import { makeLine, type Piece, piece, safe } from "../../text/line.ts"
import { keptWords, lineCounts } from "../../words/file-words.ts"
import { conflictLines, conflictsOf } from "./conflicts.ts"
import { type Planned, type Way, whyNot } from "./ways.ts"

export function planLines(theme: Theme, way: Way, answer: MoveAnswer | undefined, width: number): string[] {
  if (answer === undefined) return [theme.quiet("Looking what this would do…")]
  const problem = whyNot(way, answer)
  if (problem !== undefined) {
    const named = conflictsOf(answer).flatMap((each) => conflictLines(theme, each, width))
    return [...text(problem, width, theme.warning), ...named]
  }
  if (answer.outcome === "refused") return []
  return [...talk(way, answer, width), ...fileLines(way, answer).map((line) => makeLine(line, width))]

  function quiet(words: string): Piece {
    return piece(words, theme.quiet)
  }

  function talk(chosen: Way, planned: Planned, columns: number): string[] {
    if (chosen === "files") return text("The conversation stays where it is.", columns)
    const lines = text(`${count(planned.messages, "message")} left behind; nothing is lost.`, columns)
    if (chosen === "summary") lines.push(...text("What they found is left as a note for the model.", columns))
    if (planned.cost === undefined) return lines
    const { cached, cachedTokens, againTokens } = planned.cost
    const cache = `Prompt cache: keeps ${count(cached, "message")}, about ${count(cachedTokens, "token")}.`
    const again = againTokens === 0 ? "" : ` About ${count(againTokens, "token")} sent again.`
    return [...lines, ...text(cache + again, columns)]
  }

  function fileLines(chosen: Way, planned: Planned): Piece[][] {
    const keeps = planned.filesMode === "keep" && chosen !== "files"
    const changed = planned.files.map((file): Piece[] => {
      const what = keeps ? "stays" : file.change
      const unsure = planned.uncertain.includes(file.path) ? "  perhaps yours: a command ran" : ""
      return [`  ${what.padEnd(10)}`, file.path, quiet(`${lineCounts(file)}${unsure}`)]
    })
    const kept = planned.kept.map((each): Piece[] => ["  stays     ", each.path, quiet(`  ${keptWords(each)}`)])
    const missed = planned.notCovered.map(({ path, because }): Piece[] => ["  uncovered ", path, quiet(`  ${because}`)])
    const commits = planned.commits.flatMap(({ path, to, made, more, switched }): Piece[][] => {
      const stays = (what: string, rest: string): Piece[] => ["  stays     ", what, quiet(rest)]
      const back = switched && stays(`at ${switched.to} `, `was ${switched.from} then: ${switched.command}`)
      if (made.length === 0) return [back ?? stays(`at commit ${to.slice(0, 7)} `, path)]
      const own = back === undefined ? [] : [back]
      const named = own.concat(made.map(({ commit, subject }) => stays(`commit ${commit.slice(0, 7)} `, subject)))
      return more === 0 ? named : [...named, stays(`and ${more} more commits `, path)]
    })
    const rounds = count(planned.roundsNotCovered ?? 0, "round")
    const unknown: Piece[][] = planned.roundsNotCovered
      ? [["  uncovered ", rounds, quiet("  what was changed there stays")]]
      : []
    return [...changed, ...kept, ...missed, ...unknown, ...commits]
  }
}

function text(words: string, width: number, paint: (line: string) => string = (line) => line): string[] {
  return wrap(safe(words), width).map((line) => makeLine([piece(line, paint)], width))
}
