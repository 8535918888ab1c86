// The sessions to measure: one path, many branches, or nearly all of it abandoned.
import { AVERAGE, Scribe, type Spot } from "./scribe.ts"

export type Shape = "linear" | "50 branches" | "95 % abandoned"

export const SHAPES: readonly Shape[] = ["linear", "50 branches", "95 % abandoned"]

export interface Made {
  id: string
  file: string
  bytes: number
  records: number
  /** Messages in the context at the head. */
  context: number
}

/** The context at the head, if the session is large enough for it. */
const CONTEXT = 200
/** A context is compacted when it has this many messages. */
const FULL = 400

export function makeSession(home: string, cwd: string, shape: Shape, bytes: number): Made {
  const scribe = new Scribe(home, cwd, bytes)
  const share = shape === "95 % abandoned" ? 0.05 : 1
  const messages = Math.min(CONTEXT, Math.floor((bytes * share) / AVERAGE / 4) * 2)
  const before = bytes - messages * AVERAGE
  switch (shape) {
    case "linear":
      writeRounds(scribe, before)
      break
    case "50 branches":
      writeBranches(scribe, before, 50)
      break
    case "95 % abandoned":
      writeAbandoned(scribe, before, bytes * share - messages * AVERAGE, 19)
      break
  }
  writeContext(scribe, messages)
  return finished(scribe)
}

function finished(scribe: Scribe): Made {
  scribe.close()
  const { id, file, bytes, records, spot } = scribe
  return { id, file, bytes, records, context: spot.context }
}

/** Writes rounds until the file has this many bytes; returns where they ended. */
function writeRounds(scribe: Scribe, until: number): Spot[] {
  const ends: Spot[] = []
  while (scribe.bytes < until) {
    if (scribe.spot.context > FULL) scribe.compact(ends.at(-3) ?? scribe.spot)
    scribe.round()
    ends.push({ ...scribe.spot })
  }
  return ends
}

/** Each branch leaves the one before somewhere in its second half. */
function writeBranches(scribe: Scribe, until: number, branches: number): void {
  for (let n = 1; n <= branches; n++) {
    const ends = writeRounds(scribe, (until * n) / branches)
    const from = ends[Math.floor(ends.length * 0.6)]
    if (n < branches && from !== undefined) scribe.goto(from)
    else if (n < branches) scribe.round()
  }
}

/** Abandoned branches, alternating with the path, which gets `kept` bytes. */
function writeAbandoned(scribe: Scribe, until: number, kept: number, branches: number): void {
  const start = scribe.bytes
  const all = until - start
  for (let n = 1; n <= branches; n++) {
    const path = Math.max(kept, 0) / branches
    writeRounds(scribe, scribe.bytes + path)
    const trunk = { ...scribe.spot }
    writeRounds(scribe, start + (all * n) / branches)
    scribe.goto(trunk)
  }
}

/** A compaction, what it keeps, and messages until the context has the wanted number. */
function writeContext(scribe: Scribe, messages: number): void {
  const keep = { ...scribe.spot }
  scribe.round()
  scribe.compact(keep)
  while (scribe.spot.context < messages - 16) scribe.round()
  while (scribe.spot.context < messages - 1) scribe.exchange()
  if (scribe.spot.context < messages) scribe.prompt()
}

const SMALL_AVERAGE = 1024
/** One restore per this many rounds: some three hundred in total. */
const ROUNDS_TO_RESTORE = 9

/** A session of tool calls that may write, each with its snapshots; now and then a round is left with its files. */
export function makeSpans(home: string, cwd: string, spans: number): Made & { restores: number } {
  const scribe = new Scribe(home, cwd, spans, SMALL_AVERAGE)
  scribe.spans = 0
  scribe.snapshots = true
  let restores = 0
  for (let round = 1; scribe.spans < spans; round++) {
    const before = { ...scribe.spot }
    scribe.round()
    if (round % ROUNDS_TO_RESTORE === 0) {
      scribe.goto(before, "restore")
      restores++
    }
  }
  scribe.round()
  return { ...finished(scribe), restores }
}

/** One path that is never compacted. */
export function makeUncompacted(home: string, cwd: string, bytes: number): Made {
  const scribe = new Scribe(home, cwd, bytes)
  while (scribe.bytes < bytes) scribe.round()
  return finished(scribe)
}

/** Prompts that each begin a separate conversation. */
export function makeTips(home: string, cwd: string, tips: number): string {
  const scribe = new Scribe(home, cwd, tips)
  for (let n = 0; n < tips; n++) {
    scribe.spot = { head: null, context: 0 }
    scribe.prompt()
  }
  scribe.close()
  return scribe.id
}
