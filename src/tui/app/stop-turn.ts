// The turn is stopped by the person: nothing that they typed is lost with it. What was sent and comes back is told once, as
// the answer to its sending: see `returned.ts`.
import type { App } from "./app.ts"

export async function stopTurn(app: App): Promise<void> {
  await app.progress.during("Stopping", app.view.stop())
}

/** All that is queued comes back into the editor, before what stands there. */
export async function takeBack(app: App): Promise<void> {
  for (;;) {
    const input = await app.session.unsend()
    if (input === undefined) return
    app.view.unqueue(input)
  }
}
