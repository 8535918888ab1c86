// The stream of changes to the list of sessions. The host watches for them only while someone reads it.
import type { Host } from "../../protocol/host.ts"
import { Broadcast } from "./broadcast.ts"

export function listStream(host: Host, newName: () => string): Broadcast {
  let forget: (() => void) | undefined
  let seq = 0
  const stream: Broadcast = new Broadcast({
    generation: newName(),
    snapshot: () => ({ type: "reset", data: {} }),
    changed(readers) {
      if (readers > 0) {
        forget ??= host.on((event) => {
          if (event.type !== "host-closing") stream.publish(++seq, event.type, event)
        })
        return
      }
      forget?.()
      forget = undefined
      // From now on nobody learns of changes, so readers that come back must start over.
      stream.startOver(newName())
    },
  })
  return stream
}
