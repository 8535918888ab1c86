// A process that works in a session is killed again and again. What it was told is written must be there.
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { NONE } from "../../src/history/tree/tree.ts"
import { isEntryKind, KIND } from "../../src/model/record/kind.ts"
import { parseRecord } from "../../src/model/record/record-parse.ts"
import type { FileLog } from "../../src/store/file/log/log.ts"
import { type Child, start } from "./child.ts"
import { newLog, openCold, openLog, sameRows, say } from "./kit.ts"

const KILLS = 200

interface Told {
  rows: number
  last: string
  head: string | null
}

/** Lets it work until it has told `steps` times, kills it, and answers all that it told, also while it was dying. */
async function workAndKill(child: Child, steps: number): Promise<Told[]> {
  const told: Told[] = []
  child.send("go")
  for await (const line of child.lines) {
    told.push(JSON.parse(line) as Told)
    if (told.length !== steps) continue
    for (let wait = Math.random() * 60; wait > 0; wait--) await setImmediate()
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
    if (isEntryKind(history.kind(row))) head = row
    const record = history.kind(row) === KIND.operation ? history.record(row) : undefined
    if (record?.type === "operation") head = record.head.to === null ? NONE : history.rowOf(record.head.to)
  }
  expect(history.head).toBe(head)
}

test(`every acknowledged record survives ${KILLS} kills, and the session goes on`, async () => {
  const { file, home, log } = await newLog()
  const begin = () => start("work", [file, home])
  const ready = [begin(), begin()]
  let torn = 0
  let checked = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await (ready.shift() as Promise<Child>)
    if (kill + 2 < KILLS) ready.push(begin())
    const told = await workAndKill(child, 1 + (kill % 9))
    const after = openLog(file)
    check(after, told.at(-1) as Told, checked)
    checked = after.history.size
    if (after.tornTail !== undefined) torn++
    const [mine] = await say(kill % 2 === 0 ? log : after, "still there?")
    log.refresh()
    expect(log.history.id(log.history.head)).toBe(mine)
    if (kill % 25 === 0) {
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
