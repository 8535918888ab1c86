// Run as a process of its own: gives the helper thread all the work, and has nothing else to do until it is done.

import { newCounter } from "../../../src/workspace/git/bulk/chunks.ts"
import { openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { newRows } from "../../../src/workspace/git/bulk/stat-rows.ts"

const paths = Array.from({ length: 20_000 }, (_, i) => `nothing ${i}`)
const rows = newRows(paths.length)
const helper = openHelperThread()
helper.isReady()
const list = paths.join("\0")
await helper.run({
  kind: "stat",
  list,
  count: paths.length,
  prefix: "/nonexistent/",
  next: newCounter(),
  rows,
})
process.stdout.write(rows[0] === 0 ? "done" : "nobody helped")
