// The pages over the conversation, and what follows when one is left.
import type { App } from "./app.ts"
import { tellMove } from "./moved.ts"
import { openDiff } from "./overlay/diff.ts"
import { openRewind } from "./overlay/move/rewind.ts"
import { WAY_NAMES } from "./overlay/move/ways.ts"
import { makeTextPage } from "./overlay/text-page.ts"
import { diffLine } from "./conversation/highlight.ts"

export async function openRewindList(app: App): Promise<void> {
  if (app.session.rounds().length === 0) return app.hint("There is nothing to go back to yet")
  const went = await openRewind(app.screen, app.session)
  if (went !== undefined) tellMove(app, `Went back: ${WAY_NAMES[went.way]}`, went.answer)
}

export async function openTreePage(app: App): Promise<void> {
  app.hint("The tree is not here yet")
}

export async function openBranchList(app: App): Promise<void> {
  app.hint("The branches are not here yet")
}

export async function openSessionList(app: App): Promise<void> {
  app.hint("The list of sessions is not here yet")
}

export async function openDiffPage(app: App, entry: string): Promise<void> {
  if (entry === "") await openDiff(app.screen, app.session)
  else await openDiff(app.screen, app.session, { from: entry }, `Changes since ${entry}`)
}

/** What was folded on the screen, whole. */
export async function openDetails(app: App, extra?: { title: string; text: string }): Promise<void> {
  const items = extra === undefined ? app.view.folded.items : [extra]
  if (items.length === 0) return app.hint("Nothing is folded in this round")
  const { theme } = app
  const lines = items.flatMap(({ title, text }) => [
    { text: title, paint: theme.strong },
    ...text.split("\n").map((line) => ({ text: line, paint: (shown: string) => diffLine(shown, theme) })),
    { text: "" },
  ])
  await app.screen.showOverlay<void>((handle) => makeTextPage(handle, { title: "Details", lines }))
}
