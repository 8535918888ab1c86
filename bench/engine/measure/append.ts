// Appending a message, fast and sync, through the session and directly to the log. Floor: writeSync of the same bytes;
// for sync also fdatasync, off the main thread, because the screen must not freeze meanwhile.
import { closeSync, fdatasync, openSync, writeSync } from "node:fs"
import { promisify } from "node:util"
import type { EntryId } from "../../../src/model/id.ts"
import type { MessageRecord } from "../../../src/model/record/record.ts"
import { printRecord } from "../../../src/model/record/record-print.ts"
import { createSession } from "../../../src/session/session.ts"
import { systemOptions } from "../../../src/session/state/system.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"
import { messageDrafts } from "../drafts.ts"

export interface AppendGiven extends Repeats {
  home: string
  /** Appends per sample. */
  batch: number
  durability: "fast" | "sync"
}

export interface AppendFound {
  session: Measured
  log: Measured
}

const { home, batch, durability, ...repeats } = given() as AppendGiven
const parts = { ...systemOptions(), durability }
const wanted = { cwd: "/bench/append", made: { name: "bench", version: "1" } }
const session = await createSession(fileStore({ home }), wanted, parts)
const drafts = messageDrafts(batch)
const lines = recordsAfter(null).map((record) => Buffer.from(`${printRecord(record)}\n`))
const fd = openSync(`${session.log.file}.floor`, "a")
const syncData = promisify(fdatasync)
answer({
  session: each(await interleave(floor, bySession, repeats)),
  log: each(await interleave(floor, byLog, repeats)),
} satisfies AppendFound)
closeSync(fd)
await session.close()

function recordsAfter(head: EntryId | null): MessageRecord[] {
  let parent = head
  return drafts.map((draft) => {
    const record = { ...draft, id: parts.ids.entry(), parent, at: parts.now() }
    parent = record.id
    return record
  })
}

async function floor(): Promise<number> {
  if (durability === "fast") {
    return timed(() => {
      for (const line of lines) writeSync(fd, line)
    })
  }
  return timedAsync(async () => {
    for (const line of lines) {
      writeSync(fd, line)
      await syncData(fd)
    }
  })
}

function bySession(): Promise<number> {
  return timedAsync(async () => {
    for (const draft of drafts) await session.append(draft, { durable: durability === "sync" })
  })
}

function byLog(): Promise<number> {
  const records = recordsAfter(session.head)
  return timedAsync(async () => {
    for (const record of records) await session.log.append([record], { durability })
  })
}

/** In microseconds per append. */
function each(found: Measured): Measured {
  const perAppend = (milliseconds: number) => (milliseconds / batch) * 1000
  return {
    ours: perAppend(found.ours),
    floor: perAppend(found.floor),
    first: perAppend(found.first),
    best: { ours: perAppend(found.best.ours), floor: perAppend(found.best.floor) },
  }
}
