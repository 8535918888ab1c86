// How two branches differ, in the words of every front end.
import type { ComparedFile, FileDifference } from "../history/compare/branch-files.ts"
import { costWords, count, thousands } from "../model/text/amounts.ts"
import { clip, pad, sanitise, sanitiseLine, widthOf, wrap } from "../model/text/sanitise.ts"
import type { CompareAnswer, ComparedSide } from "./host.ts"

export type Compared = Extract<CompareAnswer, { outcome: "compared" }>

/** Where they part, as a sentence. */
export function partingWords({ common, round, sides: [a, b] }: Compared): string {
  const [one, other] = [inSentence(a), inSentence(b)]
  if (a.entries === 0 && b.entries === 0) return "They are at the same point."
  if (common === null)
    return capitalised(`${one} and ${other} have nothing in common: each begins with the empty conversation.`)
  const where =
    round === 0 ? "before the first round" : a.within || b.within ? `in round ${round}` : `after round ${round}`
  if (a.entries === 0) return capitalised(`${other} continues ${one}.`)
  if (b.entries === 0) return capitalised(`${one} continues ${other}.`)
  return capitalised(`${one} and ${other} parted ${where}.`)
}

/** As a title. */
export function sideName({ name, isHead }: ComparedSide): string {
  return isHead ? (name === "head" ? "Where you are" : `${sanitiseLine(name)} (where you are)`) : sanitiseLine(name)
}

function inSentence(side: ComparedSide): string {
  if (side.isHead && side.name === "head") return "your branch"
  return `“${sanitiseLine(side.name)}”${side.isHead ? ", where you are," : ""}`
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** What a person asked for last on it. */
export function lastAskedOf({ prompts }: ComparedSide): string {
  return sanitiseLine(prompts.at(-1)?.text ?? "")
}

/** Name and value of each fact. */
export function factRows(side: ComparedSide, files: readonly ComparedFile[], which: "a" | "b"): [string, string][] {
  const changed = files.filter((file) => file[which] !== undefined)
  const unknown = side.uncovered === 0 ? "" : changed.length === 0 ? "not known" : " known"
  return [
    ["Prompts", thousands(side.rounds)],
    ["Steps", thousands(side.steps)],
    ["Tool calls", thousands(side.calls)],
    ["Files changed", changed.length === 0 && unknown !== "" ? unknown : `${thousands(changed.length)}${unknown}`],
    ["Lines", linesWords(changed.map((file) => file[which] ?? { change: "" }))],
    ["Time", timeWords(side.took)],
    ["Tokens read", thousands(side.read)],
    ["Tokens written", thousands(side.written)],
    ["Cost", costWords(side.cost, side.unpriced, side.cost > 0 && side.cost < 0.01 ? 4 : 2)],
  ]
}

function linesWords(files: readonly FileDifference[]): string {
  const sum = (of: "added" | "removed") => files.reduce((all, file) => all + (file[of] ?? 0), 0)
  const counted = files.filter(({ added, removed }) => added !== undefined || removed !== undefined)
  if (files.length === 0) return "–"
  return counted.length === 0 ? "not known" : `+${thousands(sum("added"))} −${thousands(sum("removed"))}`
}

function timeWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds === 0) return milliseconds > 0 ? "under 1 s" : "–"
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}

export interface FileGroup {
  title: string
  files: { path: string; words: string }[]
}

/** The files in groups; none is empty. */
export function fileGroups({ files, sides: [a, b] }: Compared): FileGroup[] {
  const groups: [ComparedFile["group"], string][] = [
    ["different", "Changed on both, differently"],
    ["unknown", "Changed on both; no snapshot shows whether alike"],
    ["only-a", `Only on ${inSentence(a)}`],
    ["only-b", `Only on ${inSentence(b)}`],
    ["same", "Changed on both, alike"],
  ]
  return groups.flatMap(([group, title]) => {
    const own = files.filter((file) => file.group === group)
    if (own.length === 0) return []
    return [{ title, files: own.map((file) => ({ path: sanitiseLine(file.path), words: fileWords(file, [a, b]) })) }]
  })
}

function fileWords({ group, a, b }: ComparedFile, [left, right]: readonly [ComparedSide, ComparedSide]): string {
  if (group === "different" || group === "unknown")
    return `${sanitiseLine(left.name)}: ${changeWords(a)} · ${sanitiseLine(right.name)}: ${changeWords(b)}`
  return changeWords(a ?? b)
}

function changeWords(difference: FileDifference | undefined): string {
  if (difference === undefined) return ""
  const { change, added, removed } = difference
  const lines = [added ? `+${thousands(added)}` : "", removed ? `−${thousands(removed)}` : ""].filter(Boolean)
  return [change, ...lines].join(" ")
}

/** What is not known of the files, one sentence each. */
export function unknownLines({ sides, files }: Compared): string[] {
  const told = sides.flatMap((side) =>
    side.uncovered === 0
      ? []
      : [
          `${count(side.uncovered, "round")} of ${inSentence(side)} ${side.uncovered === 1 ? "has" : "have"} no snapshots: what else changed there is not known.`,
        ],
  )
  return files.length > 0 || told.length > 0 ? told : ["No file was changed on either."]
}

/** A line of a comparison, and how it is shown. */
export interface ComparedLine {
  text: string
  as?: "title" | "quiet"
}

/** From this width on, the answers have room beside each other. */
const WIDE = 100

/** The whole comparison without the patch. `most`: lines of each answer. */
export function comparedLines(answer: Compared, width: number, most = Number.POSITIVE_INFINITY): ComparedLine[] {
  if (answer.sides.every(({ entries }) => entries === 0)) return [{ text: partingWords(answer) }]
  const title = (text: string): ComparedLine => ({ text: clip(text, width), as: "title" })
  const groups = fileGroups(answer).flatMap((group) => [
    { text: "" },
    title(group.title),
    ...group.files.map(({ path, words }) => ({ text: `  ${path}  ${words}` })),
  ])
  const unknown = unknownLines(answer).flatMap((line) => wrap(line, width))
  return [
    ...wrap(partingWords(answer), width).map((text) => ({ text })),
    { text: "" },
    ...tableLines(answer, width),
    ...groups,
    ...(unknown.length > 0 ? ["", ...unknown] : []).map((text) => ({ text })),
    ...answerLines(answer, width, most),
  ]
}

function tableLines({ sides: [a, b], files }: Compared, width: number): ComparedLine[] {
  const [left, right] = [factRows(a, files, "a"), factRows(b, files, "b")]
  const names = Math.max(...left.map(([name]) => widthOf(name)))
  const column = Math.max(8, Math.floor((width - names - 4) / 2))
  const row = (name: string, one: string, two: string) =>
    `${pad(name, names)}  ${pad(clip(one, column), column)}  ${clip(two, column)}`.trimEnd()
  return [
    { text: row("", sideName(a), sideName(b)), as: "title" },
    { text: row("Asked last", lastAskedOf(a) || "–", lastAskedOf(b) || "–") },
    ...left.map(([name, value], at) => ({ text: row(name, value, right[at]?.[1] ?? "") })),
  ]
}

/** Beside each other if there is room, else one below the other. */
function answerLines({ sides }: Compared, width: number, most: number): ComparedLine[] {
  if (sides.every(({ answer }) => answer === null)) return []
  const head = (side: ComparedSide) => `Last answer: ${sideName(side)}`
  if (width < WIDE) {
    return sides.flatMap((side): ComparedLine[] => {
      const lines = answerOf(side, width - 2, most).map((text) => ({ text: text === "" ? "" : `  ${text}` }))
      return [{ text: "" }, { text: clip(head(side), width), as: "title" }, ...lines]
    })
  }
  const column = Math.floor((width - 3) / 2)
  const beside = (one: string, two: string) => `${pad(clip(one, column), column)} │ ${clip(two, column)}`.trimEnd()
  const [left = [], right = []] = sides.map((side) => answerOf(side, column, most))
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    text: beside(left[at] ?? "", right[at] ?? ""),
  }))
  return [{ text: "" }, { text: beside(head(sides[0]), head(sides[1])), as: "title" }, ...rows]
}

function answerOf({ answer }: ComparedSide, width: number, most: number): string[] {
  if (answer === null) return ["(no answer)"]
  const lines = sanitise(answer.text)
    .trim()
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrap(line, width)))
  return lines.length <= most ? lines : [...lines.slice(0, most), `… ${count(lines.length - most, "more line")}`]
}
