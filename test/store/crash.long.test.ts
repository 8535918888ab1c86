// A process that works in a session is killed again and again. What it was told is written must be there.
import { lstatSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { NONE } from "../../src/history/tree/tree.ts"
import { isEntryKind, KIND } from "../../src/model/record/record.ts"
import { parseRecord } from "../../src/model/record/record-parse.ts"
import { moveFile } from "../../src/store/file/disk/layout.ts"
import type { FileLog } from "../../src/store/file/log/log.ts"
import { isSoak } from "../seed.ts"
import { type Child, newLog, openCold, openLog, sameRows, say, start } from "./kit.ts"

const KILLS = isSoak ? 200 : 50
/** After how many steps, and a moment more, a process is killed; what it does follows from its seed. */
const anyKill = fc.record({ steps: fc.integer({ min: 1, max: 9 }), moment: fc.nat(60), seed: fc.nat(0x7fff_fffe) })
type Kill = typeof anyKill extends fc.Arbitrary<infer Value> ? Value : never

/** What a move leaves does not move the head by itself. */
const LEFT: ReadonlySet<number> = new Set([KIND.note, KIND.compaction])

interface Told {
  rows: number
  last: string
  head: string | null
}

/** Lets it work until it has told often enough, kills it, and answers all that it told, also while it was dying. */
async function workAndKill(child: Child, { steps, moment }: Kill): Promise<Told[]> {
  const told: Told[] = []
  child.send("go")
  for await (const line of child.lines) {
    told.push(JSON.parse(line) as Told)
    if (told.length !== steps) continue
    for (let wait = moment; wait > 0; wait--) await setImmediate()
    child.process.kill("SIGKILL")
  }
  const { signal, errors } = await child.ended
  expect({ signal, errors }).toEqual({ signal: "SIGKILL", errors: "" })
  return told
}

/** The rows up to `told` are as the process saw them, and the head is where its last records put it. */
function check(log: FileLog, told: Told, from: number): void {
  const { history } = log
  const last = told.rows - 1
  expect(history.id(last)).toBe(told.last)
  for (let row = from; row < told.rows; row++) {
    const kind = history.kind(row)
    if (kind === KIND.blank || kind === KIND.damaged) continue
    expect(parseRecord(Buffer.from(log.line(row)).toString("utf8")).ok).toBe(true)
  }
  let head = history.headAfter(last)
  expect(head === NONE ? null : history.id(head)).toBe(told.head)
  for (let row = told.rows; row < history.size; row++) {
    if (isEntryKind(history.kind(row)) && !LEFT.has(history.kind(row))) head = row
    const record = history.kind(row) === KIND.operation ? history.record(row) : undefined
    if (record?.type === "operation") head = record.head.to === null ? NONE : history.rowOf(record.head.to)
  }
  expect(history.head).toBe(head)
}

test(`every acknowledged record survives ${KILLS} kills, and the session continues`, async () => {
  const { file, home, log, store } = await newLog()
  const kills = fc.sample(anyKill, KILLS)
  const begin = (kill: number) => start("work", [file, home, String(kills[kill]?.seed)])
  const ready = [begin(0), begin(1)]
  let torn = 0
  let checked = 0
  for (const [kill, how] of kills.entries()) {
    const child = await (ready.shift() as Promise<Child>)
    if (kill + 2 < KILLS) ready.push(begin(kill + 2))
    const told = await workAndKill(child, how)
    const after = openLog(file)
    check(after, told.at(-1) as Told, checked)
    checked = after.history.size
    if (after.tornTail !== undefined) torn++
    const [mine] = await say(kill % 2 === 0 ? log : after, "still there?")
    log.refresh()
    expect(log.history.id(log.history.head)).toBe(mine)
    // What a mover held when it was killed keeps nobody from moving.
    await log.alone(async () => expect(lstatSync(moveFile(file)).isSymbolicLink()).toBe(true))
    if (kill % 25 === 0) {
      const [listed] = await store.list()
      expect([listed?.id, listed?.prompts]).toEqual([log.id, log.history.round(log.history.head)])
      const cold = openCold(file)
      sameRows(log, cold)
      await cold.close()
    }
    await after.close()
  }
  const whole = openLog(file)
  sameRows(log, whole)
  sameRows(whole, openCold(file))
  let damaged = 0
  for (let row = 0; row < log.history.size; row++) if (log.problem(row) !== undefined) damaged++
  expect(damaged).toBe(torn)
}, 300_000)
