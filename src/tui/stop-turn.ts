// The turn is stopped by the person: nothing that they typed is lost with it.
import type { PromptInput } from "../protocol/host.ts"
import type { App } from "./app.ts"
import { joinInputs } from "./pastes.ts"

export async function stopTurn(app: App): Promise<void> {
  await takeBack(app)
  await app.progress.during("Stopping", app.view.stop())
}

/** All that is queued comes back into the editor, before what stands there. */
export async function takeBack(app: App): Promise<void> {
  const back: PromptInput[] = []
  for (;;) {
    const input = await app.session.unsend()
    if (input === undefined) break
    app.view.unqueue(input)
    back.unshift(input)
  }
  if (back.length === 0) return
  app.editor.keep(joinInputs(app.editor.empty ? back : [...back, app.editor.input]))
}
