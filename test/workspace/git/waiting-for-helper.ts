// Run as a process of its own: gives the helper thread all the work, and has nothing else to do until it is done.
import { pathList } from "../../../src/workspace/git/bulk/helper-job.ts"
import { openHelperThread } from "../../../src/workspace/git/bulk/helper-thread.ts"
import { newRows, rowAt } from "../../../src/workspace/git/bulk/stat-rows.ts"

const paths = Array.from({ length: 20_000 }, (_, i) => `nothing ${i}`)
const rows = newRows(paths.length)
const helper = openHelperThread()
helper.isReady()
await helper.start(pathList("/nonexistent", paths), { kind: "stat", rows }).ended
process.stdout.write(rowAt(rows, 0) === "nothing there" ? "done" : "nobody helped")
