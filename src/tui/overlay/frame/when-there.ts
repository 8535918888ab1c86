// An overlay over something that may have to be fetched first: keys pressed meanwhile are not lost.
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { KeyPress } from "../../terminal/keys.ts"

/** Contract: shown at once, and empty until `value` is there. If that fails, it closes and throws; Esc leaves it. */
export async function showWhenThere<Value, Result>(
  host: OverlayHost,
  value: Promise<Value>,
  make: (handle: OverlayHandle<Result | undefined>, value: Value) => Overlay,
): Promise<Result | undefined> {
  let failed: { error: unknown } | undefined
  const result = await host.showOverlay<Result | undefined>((handle) => {
    let shown: Overlay | undefined
    let closed = false
    const early: KeyPress[] = []
    const show = (there: Value) => {
      if (closed) return
      shown = make(handle, there)
      for (const key of early) shown.key(key)
      handle.redraw()
    }
    value.then(show).catch((error: unknown) => {
      failed = { error }
      handle.done(undefined)
    })
    return {
      render: (width, height) => shown?.render(width, height) ?? [],
      key(key) {
        if (shown !== undefined) shown.key(key)
        else if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
        else early.push(key)
      },
      close() {
        closed = true
        shown?.close?.()
      },
    }
  })
  if (failed !== undefined) throw failed.error
  return result
}
