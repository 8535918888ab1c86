// /compare: two branches beside each other, as a page.
import { type Compared, comparedLines } from "../../../protocol/compare-words.ts"
import type { CompareAnswer, CompareRequest, SessionContents } from "../../../protocol/host.ts"
import type { OverlayHost } from "../../screen/overlay-host.ts"
import type { Theme } from "../../terminal/theme.ts"
import { refusal } from "../../words/refusal.ts"
import { attempt } from "../frame/attempt.ts"
import { makeTextPage, type TextLine, type TextPage } from "../frame/text-page.ts"
import { openDiff } from "./diff.ts"

const TITLE = "Compare two branches"

/** Resolves when the person leaves. */
export async function openCompare(host: OverlayHost, session: SessionContents, request: CompareRequest): Promise<void> {
  await host.showOverlay<void>((handle) => {
    const page = attempt(() => session.compare(request)).then((answer) => pageOf(answer, host, session, handle.theme))
    return makeTextPage(handle, page, TITLE)
  })
}

function pageOf(answer: CompareAnswer, host: OverlayHost, session: SessionContents, theme: Theme): TextPage {
  if (answer.outcome === "refused") {
    const { message, hint } = refusal(answer.failure)
    return { title: TITLE, lines: [{ text: message }, { text: hint, paint: theme.quiet }] }
  }
  const [from, to] = answer.sides.map(({ tip }) => tip)
  const isHere = answer.sides.every((side) => side.session === session.id)
  const differs = isHere && from && to && answer.files.some(({ group }) => group !== "same")
  return {
    title: TITLE,
    lines: [],
    at: (width) => textLines(answer, theme, width),
    ...(differs && {
      keys: [["d", "what differs in the files"]],
      key(name) {
        if (name === "d") void openDiff(host, session, { from, to }, "From the first to the second")
      },
    }),
  }
}

function textLines(answer: Compared, theme: Theme, width: number): TextLine[] {
  return comparedLines(answer, width).map(({ text, as }) => {
    const paint = as === "title" ? theme.strong : as === "quiet" ? theme.quiet : undefined
    return paint === undefined ? { text } : { text, paint }
  })
}
