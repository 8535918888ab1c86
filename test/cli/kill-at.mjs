// Loaded before the program (node --import): sends it KILL_WITH (SIGKILL by default) before write number KILL_AT, counted from the moment a
// restore's journal is made, or a file whose path holds KILL_FROM is opened. Counts to a file when KILL_AT is not reached.
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const killAt = Number(process.env.KILL_AT)
const killFrom = process.env.KILL_FROM ?? "restore.journal"
let writes = -1

for (const name of [
  "openSync",
  "writeSync",
  "renameSync",
  "linkSync",
  "symlinkSync",
  "unlinkSync",
  "unlink",
  "chmodSync",
  "mkdirSync",
  "rmdirSync",
  "fsyncSync",
  "fdatasyncSync",
  "fsync",
]) {
  const real = fs[name]
  fs[name] = (...args) => {
    // Of a link, the second path is the new one.
    if (args.slice(0, 2).some((path) => String(path).includes(killFrom)) && writes < 0) writes = 0
    if (writes >= 0 && !(name === "openSync" && args[1] === "r")) {
      if (writes++ === killAt) process.kill(process.pid, process.env.KILL_WITH ?? "SIGKILL")
    }
    return real(...args)
  }
}
syncBuiltinESMExports()
process.on("exit", () => {
  if (process.env.KILL_COUNT !== undefined) fs.writeFileSync(process.env.KILL_COUNT, String(writes))
})
