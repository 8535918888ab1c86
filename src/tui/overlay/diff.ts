// Differences of files, as a page.

import { count } from "../../model/text/amounts.ts"
import type { DiffAnswer, HostSession } from "../../protocol/host.ts"
import { patchLines } from "../conversation/patch-lines.ts"
import type { OverlayHost } from "../overlay-host.ts"
import { refusal } from "../refusal.ts"
import type { Theme } from "../theme.ts"
import { attempt } from "./move/attempt.ts"
import { lineCounts } from "./move/file-words.ts"
import { makeTextPage, type TextPage } from "./text-page.ts"

export interface DiffRequest {
  from?: string
  to?: string
  paths?: string[]
}

/** Resolves when the person leaves. Without `from`: since the last prompt. Without `to`: the files as they are now. */
export async function openDiff(
  host: OverlayHost,
  session: HostSession,
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
  // The only file is named by its own line.
  const lines = files.length === 1 ? [...files, ...patch.slice(1)] : [...files, { text: "" }, ...patch]
  return { title, right: count(files.length, "file"), lines }
}
