// npm run soak [-- MINUTES]: the server under load for a minute; then every property with new cases, and tests that try
// more here than in the suite, again and again. A failure names the seed that reproduces it.
// `npm run soak -- server [SECONDS]`: only the server. `npm run soak -- faults`: every call to the disk fails once, in every flow.
// `npm run soak -- seams [MINUTES]`: only the front ends that work in one session at once.
import { randomInt } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { prepare, root, runTool } from "./prepare.mjs"
import { soakServer } from "./soak/server.mjs"

const onlyServer = process.argv[2] === "server"
const onlyFaults = process.argv[2] === "faults"
const onlySeams = process.argv[2] === "seams"
const minutes = Number((onlySeams ? process.argv[3] : onlyServer || onlyFaults ? 10 : process.argv[2]) ?? 10)
if (!(minutes > 0)) {
  console.error(`${process.argv[2]} is not a number of minutes. Try: npm run soak -- 10`)
  process.exit(2)
}
await prepare("install", "build")
if (onlyFaults) {
  process.env.FAULT_MOST = process.argv[3] ?? "1000000"
  process.exit(runTool("vitest", ["run", "--reporter=verbose", "test/faults"]).status ?? 1)
}
if (!onlySeams) {
  const problems = await soakServer(Number(process.argv[3] ?? 60), console.log)
  for (const problem of problems) console.error(`The server: ${problem}.`)
  if (problems.length > 0) process.exit(1)
  if (onlyServer) process.exit(0)
}
const files = readdirSync(join(root, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name))
  .filter((name) => !onlySeams || name === join("test", "seams", "seams.long.test.ts"))
  .filter((name) => /fast-check|isSoak|RETCON_TEST_SEED/.test(readFileSync(join(root, name), "utf8")))
const until = Date.now() + minutes * 60_000
for (let round = 1; Date.now() < until; round++) {
  const seed = randomInt(2 ** 31)
  process.env.RETCON_TEST_SEED = String(seed)
  const { status } = runTool("vitest", ["run", "--reporter=dot", ...files])
  if (status !== 0) {
    console.error(`Failed with seed ${seed}. Repeat it: RETCON_TEST_SEED=${seed} npm test -- FILE`)
    process.exit(1)
  }
  console.log(`Round ${round}: ${files.length} files passed with seed ${seed}.`)
}
