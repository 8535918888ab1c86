// Differences of files, as a page.
import { count } from "../../../model/text/amounts.ts"
import type { DiffAnswer, SessionContents } from "../../../protocol/host.ts"
import { patchLines } from "../../conversation/patch-lines.ts"
import type { OverlayHost } from "../../screen/overlay-host.ts"
import type { Theme } from "../../terminal/theme.ts"
import { lineCounts } from "../../words/file-words.ts"
import { refusal } from "../../words/refusal.ts"
import { attempt } from "../frame/attempt.ts"
import { makeTextPage, type TextPage } from "../frame/text-page.ts"

export interface DiffRequest {
  from?: string
  to?: string
  paths?: string[]
}

/** Resolves when the person leaves. Without `from`: since the last prompt. Without `to`: the files as they are now. */
export async function openDiff(
  host: OverlayHost,
  session: SessionContents,
  request: DiffRequest = {},
  title = "Changes since the last prompt",
): Promise<void> {
  await host.showOverlay<void>((handle) => {
    const page = attempt(() => session.diff(request)).then((answer) => diffPage(answer, title, handle.theme))
    return makeTextPage(handle, page, title)
  })
}

export function diffPage(answer: DiffAnswer, title: string, theme: Theme): TextPage {
  if (answer.outcome === "refused") {
    const { message, hint } = refusal(answer.failure)
    return { title, lines: [{ text: message }, { text: hint, paint: theme.quiet }] }
  }
  if (answer.files.length === 0) return { title, lines: [{ text: "No file differs.", paint: theme.quiet }] }
  const files = answer.files.map((file) => ({ text: `${file.change.padEnd(9)} ${file.path}${lineCounts(file)}` }))
  const patch = patchLines(answer.patch, theme)
  // A single file is named by its own line.
  const lines = files.length === 1 ? [...files, ...patch.slice(1)] : [...files, { text: "" }, ...patch]
  return { title, right: count(files.length, "file"), lines }
}
