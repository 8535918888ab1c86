// Drives a program that ignores everything, says its number, and waits to be killed.
import { tmpdir } from "node:os"
import { startChild } from "../../src/programs/child.ts"

const DEAF = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)"
startChild({
  command: [process.execPath, "-e", DEAF],
  cwd: tmpdir(),
  env: {},
  line: (text) => process.stdout.write(`${text}\n`),
})
setInterval(() => undefined, 60_000)
