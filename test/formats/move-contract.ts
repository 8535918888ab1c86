// What holds where an agent follows a move: each test walks all samples of a format.
import { readFileSync, truncateSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, test } from "vitest"
import { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import type { Format } from "../../src/formats/port.ts"
import { contextAt } from "../../src/history/context/context.ts"
import { entries, NONE } from "../../src/history/tree/tree.ts"
import { type EntryId, makeIds } from "../../src/model/id.ts"
import { type Session, sessionOn } from "../../src/session/session.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { copyOf, type Sample } from "./contract.ts"
import { placeOf, readSession, rowsOf, temporaryFolder } from "./read-session.ts"

export interface MoveSample extends Sample {
  /** To how many entries a person can go, the beginning counted: the program continues from there. */
  honoured: number
}

const ids = makeIds({ now: () => Date.now(), random: (bytes) => void crypto.getRandomValues(bytes) })
const NOW = "2026-01-02T03:04:05.678Z"

export function moveContract(
  format: Format,
  samples: readonly MoveSample[],
  grows: (path: string) => string = (path) => path,
): void {
  const each = samples.map((sample) => ({ ...sample, name: basename(sample.path) }))

  async function open(path: string, home: string): Promise<{ log: ForeignLog; session: Session }> {
    const opened = await format.open(placeOf(format, path))
    const log = new ForeignLog(opened, { agent: format.agent, path, home, now: () => Date.parse(NOW) })
    return { log, session: sessionOn(memoryStore(), log, { ids, now: () => NOW }) }
  }

  /** Every place that the program can be made to continue from, and what it would send there. A prompt is gone to before it. */
  async function places({ session, log }: Awaited<ReturnType<typeof open>>) {
    const found: { to: EntryId | null; there: object[] }[] = []
    for (const to of [null, ...[...entries(log.history)].map((row) => log.history.id(row) as EntryId)]) {
      const planned = await session.goto(to, { dryRun: true })
      if (planned.outcome === "refused" || planned.head === session.head) continue
      const target = planned.head === null ? NONE : log.history.rowOf(planned.head)
      found.push({ to, there: contextAt(log.history, target) })
    }
    return found
  }

  describe(`moves that the agent follows: ${format.agent}`, () => {
    test.each(each)("$name: there and back, to entries all over the tree, as a new reader sees it", async (sample) => {
      const [copy, home] = [copyOf(sample), temporaryFolder()]
      const file = grows(copy)
      const start = readFileSync(file)
      const before = await open(copy, home)
      const wanted = await places(before)
      expect(wanted.length).toBe(sample.honoured)
      const context = contextAt(before.log.history)
      await before.session.close()
      for (const { to, there } of some(wanted)) {
        const { session, log } = await open(copy, join(home, String(to)))
        const rows = rowsOf(log.history)
        expect(await session.goto(to, { evenIfRunning: true })).toMatchObject({ outcome: "moved", kind: "goto" })
        expect(contextAt(log.history, session.headRow)).toEqual(there)
        const moved = readFileSync(file)
        expect(moved.subarray(0, start.length)).toEqual(start)
        const reader = await open(copy, join(home, String(to)))
        expect(rowsOf(reader.log.history)).toEqual(rowsOf(log.history))
        expect(reader.session.head).toBe(session.head)
        expect(contextAt(reader.log.history)).toEqual(there)
        expect(rowsOf(reader.log.history).slice(0, rows.length)).toEqual(rows)
        expect(await reader.session.undo({ evenIfRunning: true })).toMatchObject({ outcome: "moved", kind: "undo" })
        expect(contextAt(reader.log.history)).toEqual(context)
        expect(await reader.session.redo({ evenIfRunning: true })).toMatchObject({ outcome: "moved", kind: "redo" })
        expect(contextAt(reader.log.history)).toEqual(there)
        await reader.session.close()
        await session.close()
        writeFileSync(file, start)
      }
    })

    test.each(each)("$name: cut off anywhere, the head is where it was or where it goes", async (sample) => {
      const [copy, home] = [copyOf(sample), temporaryFolder()]
      const file = grows(copy)
      const start = readFileSync(file)
      const { session, log } = await open(copy, home)
      const [context, wanted] = [contextAt(log.history), await places({ session, log })]
      const { to } = wanted[Math.floor(wanted.length / 2)] ?? { to: null }
      await session.goto(to, { evenIfRunning: true })
      const [there, whole] = [contextAt(log.history), readFileSync(file)]
      await session.close()
      let moved = 0
      for (const size of someSizes(start.length, whole.length)) {
        writeFileSync(file, whole)
        truncateSync(file, size)
        const cut = await readSession(format, copy)
        const seen = contextAt(cut.history)
        if (JSON.stringify(seen) !== JSON.stringify(context)) {
          expect(seen).toEqual(there)
          moved++
        }
        cut.session.close()
      }
      expect(moved).toBeGreaterThan(0)
    })
  })
}

const MOST_MOVES = 5

function some<Value>(values: readonly Value[]): Value[] {
  const step = Math.max(1, values.length / MOST_MOVES)
  return values.filter((_, i) => i === values.length - 1 || Math.floor(i / step) !== Math.floor((i - 1) / step))
}

/** Each byte of a short move; of a long one, some, and the last ones. */
function someSizes(from: number, to: number): number[] {
  const step = Math.max(1, Math.floor((to - from) / 40))
  const sizes = Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step)
  return [...sizes, to - 1, to]
}
