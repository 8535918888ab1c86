// Collects garbage now: what is held only weakly is gone, as it is after a few seconds of a real answer.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

export async function collectGarbage(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    collect()
    await new Promise((settle) => setImmediate(settle))
  }
}
