// What a person types while the agent runs: given at the next step, and theirs to take back until then.
import type { PromptInput } from "../protocol/host.ts"

export interface Steering {
  add(input: PromptInput): void
  /** Takes back the newest that was not given yet. */
  takeBack(): PromptInput | undefined
  /** All that waits, oldest first. They count as given from now on. */
  take(): PromptInput[]
  readonly waiting: boolean
}

export function makeSteering(): Steering {
  let queue: PromptInput[] = []
  return {
    add: (input) => void queue.push(input),
    takeBack: () => queue.pop(),
    take() {
      const taken = queue
      queue = []
      return taken
    },
    get waiting() {
      return queue.length > 0
    },
  }
}
