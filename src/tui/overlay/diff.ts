// Differences of files, as a page.

import { count } from "../../model/text/amounts.ts"
import type { DiffAnswer, HostSession } from "../../protocol/host.ts"
import type { OverlayHost } from "../overlay-host.ts"
import { refusal } from "../refusal.ts"
import type { Theme } from "../theme.ts"
import { attempt } from "./move/attempt.ts"
import { lineCounts } from "./move/file-words.ts"
import { makeTextPage, type TextLine, type TextPage } from "./text-page.ts"

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
  const patch = answer.patch.replace(/\n$/, "").split("\n")
  return {
    title,
    right: count(answer.files.length, "file"),
    lines: [...files, { text: "" }, ...patch.map((text) => patchLine(text, theme))],
  }
}

function patchLine(text: string, theme: Theme): TextLine {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|old mode|new mode|rename |similarity )/.test(text)) {
    return { text, paint: theme.strong }
  }
  if (text.startsWith("@@")) return { text, paint: theme.mark }
  if (text.startsWith("+")) return { text, paint: theme.good }
  if (text.startsWith("-")) return { text, paint: theme.bad }
  return text.startsWith("\\") ? { text, paint: theme.quiet } : { text }
}
