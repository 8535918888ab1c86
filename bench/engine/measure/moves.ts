// back, goto and undo, each right after opening a session that has its index. Floor: one durable append of a message,
// right after opening a small session. Appending has its own floor.
import type { EntryId, SessionId } from "../../../src/model/id.ts"
import type { MoveResult } from "../../../src/model/move/moved.ts"
import { KIND } from "../../../src/model/record/record.ts"
import { createSession, openSession, type Session } from "../../../src/session/session.ts"
import type { EntryDraft } from "../../../src/session/state/draft.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, timedAsync } from "../../timing.ts"
import type { OpenGiven } from "./open-warm.ts"

export type Move = "back" | "back --dry-run" | "goto ID" | "goto SUFFIX" | "goto @N" | "goto head~3" | "undo"
export type MovesFound = { [move in Move]: Measured }
type Step = (session: Session) => Promise<MoveResult>
type TakeBack = (session: Session) => Promise<unknown>

const { home, made, ...repeats } = given() as OpenGiven
const store = fileStore({ home })
const PROMPT: EntryDraft = {
  type: "message",
  role: "user",
  origin: "prompt",
  content: [{ type: "text", text: "begin" }],
}
const ANSWER: EntryDraft = {
  type: "message",
  role: "assistant",
  origin: "agent",
  content: [{ type: "text", text: "done" }],
}
const small = await smallSession()
const undo: Step = (session) => session.undo()
const nothing = async () => undefined
const far = await farEntry()
answer({
  back: await measured((session) => session.back()),
  "back --dry-run": await measured((session) => session.back({ dryRun: true }), nothing),
  "goto head~3": await measured((session) => session.goto("head~3")),
  "goto ID": await measured((session) => session.goto(far)),
  "goto SUFFIX": await measured((session) => session.goto(far.slice(-12))),
  "goto @N": await measured((session) => session.goto("@2")),
  undo: await measured(undo, (session) => session.redo()),
} satisfies MovesFound)

/** A message in the middle of the log, wherever that is in the tree. */
async function farEntry(): Promise<EntryId> {
  const session = await openSession(store, made.id as SessionId)
  const { history } = session
  let row = history.size >> 1
  while (history.kind(row) !== KIND.message || history.isPrompt(row)) row++
  const id = history.id(row) as EntryId
  await session.close()
  return id
}

async function measured(move: Step, takeBack: TakeBack = undo): Promise<Measured> {
  await timeMove(move, takeBack)
  return interleave(timeAppend, () => timeMove(move, takeBack), repeats)
}

async function smallSession(): Promise<SessionId> {
  const session = await createSession(store, { cwd: "/bench/small", made: { name: "bench", version: "1" } })
  await session.append(PROMPT)
  await session.close()
  return session.log.id
}

async function timeAppend(): Promise<number> {
  const session = await openSession(store, small)
  const time = await timedAsync(() => session.append(ANSWER, { durable: true }))
  await session.close()
  return time
}

/** Times the move in a session opened for it, then takes it back, untimed. */
async function timeMove(move: Step, takeBack: TakeBack): Promise<number> {
  const session = await openSession(store, made.id as SessionId)
  let outcome = ""
  const time = await timedAsync(async () => {
    outcome = (await move(session)).outcome
  })
  if (outcome !== "moved" && outcome !== "planned") throw new Error(`the move was ${outcome}`)
  await takeBack(session)
  await session.close()
  return time
}
