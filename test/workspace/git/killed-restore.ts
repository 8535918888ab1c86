// Run as a process of its own: plans a restore and carries it out, and kills itself with SIGKILL before write number N.
// Arguments: root, home, before, after, N, and "hold" to stop for good when all files are in place and nothing is recorded.
import { randomUUID } from "node:crypto"
import { openGitWorkspace } from "../../../src/workspace/git/git-workspace.ts"
import { parseSnapshotId, type SnapshotId } from "../../../src/workspace/port.ts"

const [root = "", home = "", before = "", after = "", killAt = "0", hold] = process.argv.slice(2)
let counting = false
let writes = 0

const workspace = await openGitWorkspace({
  root,
  home,
  session: "one",
  clock: Date.now,
  newId: randomUUID,
  beforeWrite: () => {
    if (counting && ++writes > Number(killAt)) process.kill(process.pid, "SIGKILL")
  },
})
const step = { before: parseSnapshotId(before) as SnapshotId, after: parseSnapshotId(after) as SnapshotId }
const plan = await workspace.planRestore({ steps: [step] })
counting = true
const held = () =>
  new Promise<void>(() => {
    process.stdin.resume()
    process.stdout.write("held\n")
  })
const restored = await workspace.restore(plan, hold === "hold" ? { record: held } : {})
process.stdout.write(`${restored.outcome} ${writes}\n`)
