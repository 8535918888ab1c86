// Back while the agent is at work: the moments, and what each must lead to. Every front end's tests walk this table.
import type { HostEvent } from "../../src/protocol/event.ts"
import { type Script, type ScriptedAnswer, type TestHost, textOf } from "../test-host.ts"
import { bash, talk } from "./talk.ts"

export interface MidStream {
  name: string
  /** What was said and answered before, one round each. The prompt that is taken back is "go". */
  before: readonly string[]
  /** What the model answers to it. */
  answer: ScriptedAnswer
  asks: boolean
  /** The event by which it is known that the moment has come. */
  comes: (event: HostEvent) => boolean
  /** How many go back at once. */
  clients: 1 | 2
  /** What they are told, in whichever order: the prompt that comes back, or why not. */
  told: readonly ({ prompt: string } | { code: "at-start" })[]
  /** The prompts of the path afterwards. */
  after: readonly string[]
}

const LONG = bash("echo started; sleep 60")
const isDelta = ({ type, task }: HostEvent) => type === "tool-delta" && task === undefined

const MOMENTS = {
  "before the first token": { answer: { hangs: true }, asks: false, comes: ({ type }) => type === "step-start" },
  "while it writes": { answer: { text: "Half", hangs: true }, asks: false, comes: ({ type }) => type === "text-delta" },
  "while an approval waits": { answer: LONG, asks: true, comes: ({ type }) => type === "approval-start" },
  "while a tool runs": { answer: LONG, asks: false, comes: isDelta },
} satisfies Record<string, Pick<MidStream, "answer" | "asks" | "comes">>

const LATER = { before: ["zero", "one"], clients: 1, told: [{ prompt: "go" }], after: ["zero", "one"] } as const
/** There is nothing before it to go back to: the turn goes on as if nobody had asked. */
const FIRST = { before: [], clients: 1, told: [{ code: "at-start" }], after: ["go"] } as const
/** As if one had come after the other. */
const TWICE = {
  before: ["zero", "one"],
  clients: 2,
  told: [{ prompt: "go" }, { prompt: "one" }],
  after: ["zero"],
} as const
const TWICE_EARLY = {
  before: ["zero"],
  clients: 2,
  told: [{ prompt: "go" }, { code: "at-start" }],
  after: ["zero"],
} as const

const CASES = {
  "in a later round": LATER,
  "in the first round": FIRST,
  "twice at once": TWICE,
  "twice at once, in the second round": TWICE_EARLY,
} as const

export const MID_STREAM: readonly MidStream[] = Object.entries(CASES).flatMap(([how, expected]) =>
  Object.entries(MOMENTS).map(([when, moment]) => ({ name: `${when}, ${how}`, ...moment, ...expected })),
)

/** What the model says: it stands in the moment once "go" was sent. `before` has to be said first. */
export function midStreamAnswers(row: Pick<MidStream, "answer">): Script {
  return (request) => {
    const last = request.messages.findLast(({ role }) => role === "user")
    const said = textOf({ messages: last === undefined ? [] : [last] })
    if (!said.includes("go")) return { text: `Answer to ${said}.` }
    return request.messages.at(-1)?.role === "tool" ? { text: "Done." } : row.answer
  }
}

export function midStreamHost(row: Pick<MidStream, "answer" | "asks">): TestHost {
  return talk(midStreamAnswers(row), { mode: row.asks ? "default" : "yolo" })
}
