// When the person stops the turn, nothing that they typed is lost. What was sent comes back as the answer to sending
// it: see `returned-input.ts`.
import type { ProgressLine } from "../screen/progress.ts"
import type { SessionView } from "./session-view.ts"

export async function stopTurn({ progress, view }: { progress: ProgressLine; view: SessionView }): Promise<void> {
  await progress.during("Stopping", view.stop())
}

/** Puts everything queued back into the editor, before the text there. */
export async function takeBack(view: SessionView): Promise<void> {
  for (;;) {
    const input = await view.session.work?.unsend()
    if (input === undefined) return
    view.unqueue(input)
  }
}
