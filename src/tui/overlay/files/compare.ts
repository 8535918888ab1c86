// /compare: two branches beside each other, as a page.
import type { EntryId } from "../../../model/id.ts"
import { type Compared, comparedLines } from "../../../protocol/compare-words.ts"
import type { CompareAnswer, CompareRequest, SessionContents } from "../../../protocol/host.ts"
import type { OverlayHost } from "../../screen/overlay-host.ts"
import type { Theme } from "../../terminal/theme.ts"
import { refusal } from "../../words/refusal.ts"
import { attempt } from "../frame/attempt.ts"
import { makeTextPage, type TextLine, type TextPage } from "../frame/text-page.ts"
import { openDiff } from "./diff.ts"

const TITLE = "Compare two branches"

/** What to do with one of the two: go there with its files, or bring what is new on it. */
export interface CompareChoice {
  do: "pick" | "bring"
  entry: EntryId
}

/** Resolves when the person leaves, with what they chose to do. */
export async function openCompare(
  host: OverlayHost,
  session: SessionContents,
  request: CompareRequest,
): Promise<CompareChoice | undefined> {
  let choice: CompareChoice | undefined
  await host.showOverlay<void>((handle) => {
    const choose = (wanted: CompareChoice) => {
      choice = wanted
      handle.done()
    }
    const shown = { host, session, theme: handle.theme, choose }
    const page = attempt(() => session.compare(request)).then((answer) => pageOf(answer, shown))
    return makeTextPage(handle, page, TITLE)
  })
  return choice
}

interface Shown {
  host: OverlayHost
  session: SessionContents
  theme: Theme
  choose: (choice: CompareChoice) => void
}

function pageOf(answer: CompareAnswer, { host, session, theme, choose }: Shown): TextPage {
  if (answer.outcome === "refused") {
    const { message, hint } = refusal(answer.failure)
    return { title: TITLE, lines: [{ text: message }, { text: hint, paint: theme.quiet }] }
  }
  const [from, to] = answer.sides.map(({ tip }) => tip)
  const isHere = answer.sides.every((side) => side.session === session.id)
  const differs = isHere && from && to && answer.files.some(({ group }) => group !== "same")
  const [other, another] = answer.sides.filter(({ isHead, entries }) => !isHead && entries > 0)
  const entry = isHere && another === undefined ? other?.tip : undefined
  return {
    title: TITLE,
    lines: [],
    at: (width) => textLines(answer, theme, width),
    keys: [
      ...(entry
        ? ([
            ["p", "take it"],
            ["b", "bring its findings and files"],
          ] as const)
        : []),
      ...(differs ? ([["d", "what differs in the files"]] as const) : []),
    ],
    key(name) {
      if (name === "d" && differs) void openDiff(host, session, { from, to }, "From the first to the second")
      if (entry && name === "p") choose({ do: "pick", entry })
      if (entry && name === "b") choose({ do: "bring", entry })
    },
  }
}

function textLines(answer: Compared, theme: Theme, width: number): TextLine[] {
  return comparedLines(answer, width).map(({ text, as }) => {
    const paint = as === "title" ? theme.strong : as === "quiet" ? theme.quiet : undefined
    return paint === undefined ? { text } : { text, paint }
  })
}
