// What a person types while the agent runs: it is given to the model at the next step; until then they can take it back.
import type { EntryId } from "../../model/id.ts"
import type { PromptInput, SendAnswer } from "../../protocol/host.ts"

export interface Waiting {
  input: PromptInput
  settle: (answer: SendAnswer) => void
}

export interface Steering {
  /** Resolves once it is recorded, or has come back. */
  add(input: PromptInput): Promise<SendAnswer>
  /** Takes back the newest one that the model has not got yet. */
  takeBack(): PromptInput | undefined
  /** Takes back all that the model has not got yet, oldest first. */
  takeAll(): PromptInput[]
  /** The turn ended and cannot take them: all come back. */
  giveBack(): void
  /** Takes the oldest out, to be recorded. */
  next(): Waiting | undefined
  /** It could not be recorded: it is the oldest again. */
  putBack(waiting: Waiting): void
  readonly waiting: boolean
  /** What waits, oldest first. */
  queued(): PromptInput[]
}

export function makeSteering(): Steering {
  let queue: Waiting[] = []
  const withdraw = ({ input, settle }: Waiting) => settle({ outcome: "withdrawn", input })
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
