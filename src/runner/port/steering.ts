// What a person types while the agent runs: the model gets it at the next step; until then they can take it back.
import type { EntryId } from "../../model/id.ts"
import type { PromptInput, SendAnswer } from "../../protocol/host.ts"

export interface QueuedMessage {
  input: PromptInput
  settle: (answer: SendAnswer) => void
}

export interface Steering {
  /** Resolves once it has been recorded or given back. */
  add(input: PromptInput): Promise<SendAnswer>
  /** Takes back the newest message that the model has not seen yet. */
  takeBack(): PromptInput | undefined
  /** Takes back all messages that the model has not seen yet, oldest first. */
  takeAll(): PromptInput[]
  /** The turn ended and cannot take them: gives all back. */
  giveBack(): void
  /** Removes the oldest, to be recorded. */
  next(): QueuedMessage | undefined
  /** It could not be recorded: makes it the oldest again. */
  putBack(waiting: QueuedMessage): void
  readonly waiting: boolean
  /** What is waiting, oldest first. */
  queued(): PromptInput[]
}

export function makeSteering(): Steering {
  let queue: QueuedMessage[] = []
  const withdraw = ({ input, settle }: QueuedMessage) => settle({ outcome: "withdrawn", input })
  function takeAll(): PromptInput[] {
    const all = queue
    queue = []
    for (const each of all) withdraw(each)
    return all.map(({ input }) => input)
  }
  return {
    add: (input) =>
      new Promise((settle) => {
        queue.push({ input, settle })
      }),
    takeBack() {
      const newest = queue.pop()
      if (newest !== undefined) withdraw(newest)
      return newest?.input
    },
    takeAll,
    giveBack: () => void takeAll(),
    next: () => queue.shift(),
    putBack: (waiting) => void queue.unshift(waiting),
    get waiting() {
      return queue.length > 0
    },
    queued: () => queue.map(({ input }) => input),
  }
}

/** Contract: in order; one that cannot be recorded stays the oldest, and the failure is thrown. */
export async function giveAll(steering: Steering, record: (input: PromptInput) => Promise<EntryId>): Promise<void> {
  for (let each = steering.next(); each !== undefined; each = steering.next()) {
    try {
      each.settle({ outcome: "steered", entry: await record(each.input) })
    } catch (error) {
      steering.putBack(each)
      throw error
    }
  }
}
