// A dry run in full: what is left, what it costs, which files change, which stay and why.
import { copiedLine, gapLines } from "../../../model/move/gap-words.ts"
import type { MovedFile, MoveResult } from "../../../model/move/moved.ts"
import { count } from "../../../model/text/amounts.ts"
import { keptWords, SPLIT } from "../../../model/text/file-reasons.ts"
import { wrap } from "../../../model/text/sanitise.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, makeLine, piece, safe } from "../../text/line.ts"
import { terminalAdvice } from "../../words/advice-words.ts"
import { lineCounts } from "../../words/file-words.ts"
import { refusal } from "../../words/refusal.ts"
import { conflictLines, conflictsOf } from "./conflicts.ts"
import { type AcceptedMove, type RewindWay, whyNot } from "./rewind-ways.ts"

export function planLines(theme: Theme, way: RewindWay, answer: MoveResult | undefined, width: number): string[] {
  if (answer === undefined) return [theme.quiet("Working out what this would do…")]
  const problem = whyNot(way, answer)
  if (problem !== undefined) {
    const named = conflictsOf(answer).flatMap((each) => conflictLines(theme, each, width))
    if (answer.outcome !== "refused") return [...text(problem, width, theme.warning), ...gapText(theme, answer, width)]
    const hint = named.length === 0 ? refusal(answer.failure).hint : ""
    return [...text(problem, width, theme.warning), ...(hint === "" ? [] : text(hint, width)), ...named]
  }
  if (answer.outcome === "refused") return []
  const keeps = answer.filesMode === "keep" && way !== "files"
  const changed = filesInOrder(answer).map((file): LinePiece[] => {
    const unsure = answer.uncertain.includes(file.path) ? "  perhaps yours: a command ran" : ""
    const split = file.split === true ? `  ${SPLIT}` : ""
    const what = keeps ? "stays" : file.change
    return [what.padEnd(10), file.path, piece(`${lineCounts(file)}${unsure}${split}`, theme.quiet)]
  })
  const files = [...changed, ...otherLines(theme, answer)].map((line) => makeLine(["  ", ...line], width))
  return [...talk(way, answer, width), ...gapText(theme, answer, width), ...files]
}

function talk(way: RewindWay, planned: AcceptedMove, width: number): string[] {
  if (way === "files") return text("The conversation stays where it is.", width)
  const lines = text(`${count(planned.messages, "message")} left behind; nothing is lost.`, width)
  if (way === "summary") lines.push(...text("The model gets a note of what they found.", width))
  if (planned.cost === undefined) return lines
  const { cached, cachedTokens, againTokens } = planned.cost
  const cache = `Prompt cache: keeps ${count(cached, "message")}, about ${count(cachedTokens, "token")}.`
  const again = againTokens === 0 ? "" : ` About ${count(againTokens, "token")} sent again.`
  return [...lines, ...text(cache + again, width)]
}

/** Those that may be the person's come first: they must be seen. */
export function filesInOrder({ files, uncertain }: AcceptedMove): MovedFile[] {
  const unsure = new Set(uncertain)
  return [...files.filter(({ path }) => unsure.has(path)), ...files.filter(({ path }) => !unsure.has(path))]
}

/** What stays, and why. */
export function otherLines(theme: Theme, planned: AcceptedMove): LinePiece[][] {
  const line = (what: string, name: string, rest: string): LinePiece[] => [
    what.padEnd(10),
    name,
    piece(rest, theme.quiet),
  ]
  const stays = (what: string, rest: string) => line("stays", what, rest)
  const kept = planned.kept.map((each) => stays(each.path, `  ${keptWords(each)}`))
  const missed = planned.notCovered.map(({ path, because }) => line("uncovered", path, `  ${because}`))
  const commits = planned.commits.flatMap(({ path, to, made, more, switched }) => {
    const back = switched && stays(`at ${switched.to} `, `was ${switched.from} then: ${switched.command}`)
    if (made.length === 0) return [back ?? stays(`at commit ${to.slice(0, 7)} `, path)]
    const own = back === undefined ? [] : [back]
    const named = own.concat(made.map(({ commit, subject }) => stays(`commit ${commit.slice(0, 7)} `, subject)))
    return more === 0 ? named : [...named, stays(`and ${more} more commits `, path)]
  })
  return [...kept, ...missed, ...commits]
}

/** What stays because too little is recorded comes before the files, where it is seen. */
function gapText(theme: Theme, planned: AcceptedMove, width: number): string[] {
  const { gaps } = planned
  const copied = copiedLine(planned)
  return [
    ...gapLines(planned).flatMap((line) => text(line, width, theme.warning)),
    ...(gaps?.next === undefined ? [] : text(terminalAdvice(gaps.next), width, theme.warning)),
    ...(copied === undefined ? [] : text(copied, width, theme.quiet)),
  ]
}

function text(words: string, width: number, paint: (line: string) => string = (line) => line): string[] {
  return wrap(safe(words), width).map((line) => makeLine([piece(line, paint)], width))
}
