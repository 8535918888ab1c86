// Stats many paths at once, on this thread and a helper thread together: on a large workspace this is nearly all that a
// snapshot costs. Both take chunks from one shared counter, so a slow or missing helper only means less help.

import fs from "node:fs"
import { Worker } from "node:worker_threads"
import { lstat } from "./lstat.ts"

export type Stat = { mode: number; size: number; mtimeMs: number; ctimeMs: number; ino: number }

const FIELDS = 5
const CHUNK = 128
const WORTH_A_THREAD = 1500

/** Row of a path that is not there: mode 0. Row that could not be read: mode -1. */
export type StatRows = Float64Array

// The helper's whole program. Text, so that it needs no file of its own however this package is bundled.
const HELPER = `
const fs = require("node:fs")
const { parentPort } = require("node:worker_threads")
let paths = []
parentPort.on("message", ({ list, prefix, next, rows, chunk, fields }) => {
  if (list !== undefined) paths = list.split("\\0")
  for (;;) {
    const start = Atomics.add(next, 0, 1) * chunk
    if (start >= paths.length) break
    for (let i = start; i < Math.min(start + chunk, paths.length); i++) {
      let stat
      try { stat = fs.lstatSync(prefix + paths[i], { throwIfNoEntry: false }) } catch { rows[i * fields] = -1; continue }
      if (stat === undefined) continue
      rows[i * fields] = stat.mode
      rows[i * fields + 1] = stat.size
      rows[i * fields + 2] = stat.mtimeMs
      rows[i * fields + 3] = stat.ctimeMs
      rows[i * fields + 4] = stat.ino
    }
  }
  parentPort.postMessage("done")
})
`

export type StatMany = {
  /** Contract: one row per path, in order. `list` is compared by identity: pass the same array while it is the same. */
  stat(root: string, list: string[], breathe: () => Promise<void> | undefined): Promise<StatRows>
  close(): Promise<void>
}

export function openStatMany(): StatMany {
  let helper: Worker | undefined
  let ready = false
  let told: string[] | undefined
  let finished: (() => void) | undefined

  function start(): void {
    helper = new Worker(HELPER, { eval: true, env: {}, execArgv: [], stdin: false })
    helper.unref()
    helper.on("online", () => {
      ready = true
    })
    helper.on("message", () => finished?.())
    helper.on("error", () => {
      ready = false
      finished?.()
    })
  }

  return {
    async stat(root, list, breathe) {
      const rows = new Float64Array(new SharedArrayBuffer(Math.max(8, list.length * FIELDS * 8)))
      const next = new Int32Array(new SharedArrayBuffer(4))
      if (list.length >= WORTH_A_THREAD && helper === undefined) start()
      let helped: Promise<void> | undefined
      if (ready && list.length >= WORTH_A_THREAD) {
        helped = new Promise((resolve) => {
          finished = resolve
        })
        const text = told === list ? undefined : list.join("\0")
        told = list
        helper?.postMessage({ list: text, prefix: `${root}/`, next, rows, chunk: CHUNK, fields: FIELDS })
      }
      for (;;) {
        const start = Atomics.add(next, 0, 1) * CHUNK
        if (start >= list.length) break
        for (let i = start; i < Math.min(start + CHUNK, list.length); i++) fill(rows, i, `${root}/${list[i]}`)
        const pause = breathe()
        if (pause !== undefined) await pause
      }
      await helped
      return rows
    },
    async close() {
      await helper?.terminate()
      helper = undefined
      ready = false
    },
  }
}

function fill(rows: StatRows, i: number, path: string): void {
  const stat = lstat(path)
  if (stat === undefined) return
  rows[i * FIELDS] = stat.mode
  rows[i * FIELDS + 1] = stat.size
  rows[i * FIELDS + 2] = stat.mtimeMs
  rows[i * FIELDS + 3] = stat.ctimeMs
  rows[i * FIELDS + 4] = stat.ino
}

/** The stat of one row, or undefined when it has to be asked for again. A missing path has mode 0. */
export function rowAt(rows: StatRows, i: number): Stat {
  const at = i * FIELDS
  return {
    mode: rows[at] as number,
    size: rows[at + 1] as number,
    mtimeMs: rows[at + 2] as number,
    ctimeMs: rows[at + 3] as number,
    ino: rows[at + 4] as number,
  }
}
