// Messages that were sent and not answered yet. A turn may take an hour, so its end arrives on the stream, which
// survives a lost connection.
import type { History } from "../history/tree/tree.ts"
import type { EntryId } from "../model/id.ts"
import { plainText } from "../model/record/record.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { PromptInput, SendAnswer } from "../protocol/host.ts"

type TurnEnd = Extract<HostEvent, { type: "turn-end" }>

interface PendingSend {
  input: PromptInput
  turn: number
  /** The prompt's entry; null for a message that steers a running turn, and while another agent has not recorded it. */
  entry: EntryId | null
  steers: boolean
  settle: (answer: SendAnswer) => void
}

export interface Sends {
  /** Resolves when the turn ends, or when the running turn has taken the message. */
  wait(input: PromptInput, begun: { turn: number; entry: EntryId | null; steers?: boolean }): Promise<SendAnswer>
  follow(event: HostEvent, turn: number): void
  /** Call when events were missed. `running`: the turn that runs now. */
  missed(running: number | undefined): void
}

export function makeSends(history: History): Sends {
  let waiting: PendingSend[] = []
  /** The last end of a turn, which may arrive before the answer to the request that started it. */
  let last: { event: TurnEnd; turn: number } | undefined

  function settleAll(which: (each: PendingSend) => SendAnswer | undefined): void {
    const answered = waiting.flatMap((each) => {
      const answer = which(each)
      return answer === undefined ? [] : [{ each, answer }]
    })
    waiting = waiting.filter((each) => !answered.some((other) => other.each === each))
    for (const { each, answer } of answered) each.settle(answer)
  }

  function end(event: TurnEnd, turn: number): void {
    const ended = waiting.filter((each) => each.turn === turn)
    settleAll((each) => (ended.includes(each) ? answerOf(each, event) : undefined))
    // A message typed too late for the last step starts the next turn or steers it.
    for (const each of ended) each.turn = turn + 1
  }

  function begin(entry: EntryId, text: string, turn: number): void {
    const first = waiting.find((each) => each.entry === null && textOf(each) === text)
    if (first !== undefined) Object.assign(first, { entry, turn })
  }

  function given(entry: EntryId): void {
    const record = history.record(history.rowOf(entry))
    const text = record?.type === "message" ? plainText(record.content) : undefined
    const first = waiting.find((each) => each.entry === null && each.input.text === text)
    settleAll((each) => (each === first ? { outcome: "steered", entry } : undefined))
  }

  return {
    wait: (input, { turn, entry, steers = entry === null }) =>
      new Promise((settle) => {
        waiting.push({ input, turn, entry, steers, settle })
        if (last?.turn === turn) end(last.event, turn)
      }),
    follow(event, turn) {
      if (event.task !== undefined) return
      if (event.type === "steer-given") given(event.entry)
      if (event.type === "steer-withdrawn") {
        const newest = waiting.findLast((each) => each.entry === null && textOf(each) === event.text)
        settleAll((each) => (each === newest ? { outcome: "withdrawn", input: each.input } : undefined))
      }
      if (event.type === "turn-start") begin(event.entry, event.text, turn)
      if (event.type !== "turn-end") return
      last = { event, turn }
      end(event, turn)
    },
    missed(running) {
      settleAll((each) => (each.turn === running ? undefined : { outcome: "stopped", entry: each.entry }))
    },
  }
}

function textOf({ input }: PendingSend): string {
  return input.display ?? input.text
}

/** Undefined: the message waits for the next turn. */
function answerOf({ input, entry, steers }: PendingSend, end: TurnEnd): SendAnswer | undefined {
  if (entry === null && steers) return end.outcome === "done" ? undefined : { outcome: "withdrawn", input }
  switch (end.outcome) {
    case "done":
      return entry === null ? { outcome: "stopped", entry } : { outcome: "done", entry }
    case "stopped":
      return { outcome: "stopped", entry }
    case "withdrawn":
      return { outcome: "withdrawn", input }
    case "failed":
      return { outcome: "failed", message: end.message ?? "It failed.", advice: end.advice ?? "" }
  }
}
