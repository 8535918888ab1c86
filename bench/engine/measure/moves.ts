// back, goto and undo, each as the first thing after opening a session whose index is there.
// Floor: one durable append (write + fdatasync) of as many bytes as the move appends.
import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from "node:fs"
import type { EntryId, SessionId } from "../../../src/model/id.ts"
import { KIND } from "../../../src/model/kind.ts"
import type { MoveResult } from "../../../src/session/moved.ts"
import { openSession, type Session } from "../../../src/session/session.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, timed, timedAsync } from "../../timing.ts"
import type { OpenGiven } from "./open-warm.ts"

export type Move = "back" | "goto ID" | "goto SUFFIX" | "goto @N" | "undo"
export type MovesFound = { [move in Move]: Measured }
type Step = (session: Session) => Promise<MoveResult>

const { home, made, ...repeats } = given() as OpenGiven
const store = fileStore({ home })
const undo: Step = (session) => session.undo()
const far = await farEntry()
answer({
  back: await measured((session) => session.back()),
  "goto ID": await measured((session) => session.goto(far)),
  "goto SUFFIX": await measured((session) => session.goto(far.slice(-12))),
  "goto @N": await measured((session) => session.goto("@2")),
  undo: await measured(undo, (session) => session.redo()),
} satisfies MovesFound)

/** A message in the middle of the log, wherever in the tree that is. */
async function farEntry(): Promise<EntryId> {
  const session = await openSession(store, made.id as SessionId)
  const { history } = session
  let row = history.size >> 1
  while (history.kind(row) !== KIND.message || history.isPrompt(row)) row++
  const id = history.id(row) as EntryId
  await session.close()
  return id
}

async function measured(move: Step, takeBack: Step = undo): Promise<Measured> {
  const before = statSync(made.file).size
  await timeMove(move, takeBack)
  const bytes = Buffer.alloc(Math.round((statSync(made.file).size - before) / 2), 97)
  const fd = openSync(`${made.file}.floor`, "a")
  const floor = () =>
    timed(() => {
      writeSync(fd, bytes)
      fdatasyncSync(fd)
    })
  const found = await interleave(floor, () => timeMove(move, takeBack), repeats)
  closeSync(fd)
  return found
}

/** The move, in a session opened for it; what it did is taken back afterwards, untimed. */
async function timeMove(move: Step, takeBack: Step): Promise<number> {
  const session = await openSession(store, made.id as SessionId)
  let outcome = ""
  const time = await timedAsync(async () => {
    outcome = (await move(session)).outcome
  })
  if (outcome !== "moved") throw new Error(`the move was ${outcome}`)
  await takeBack(session)
  await session.close()
  return time
}
