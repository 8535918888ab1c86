// npm run soak [-- MINUTES]: every property with new cases, again and again. A failure names the seed that repeats it.
import { randomInt } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { prepare, root, runTool } from "./prepare.mjs"

const minutes = Number(process.argv[2] ?? 10)
if (!(minutes > 0)) {
  console.error(`For how many minutes? ${process.argv[2]} is no such number. Try: npm run soak -- 10`)
  process.exit(2)
}
await prepare("install", "build")
const files = readdirSync(join(root, "test"), { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name))
  .filter((name) => readFileSync(join(root, name), "utf8").includes("fast-check"))
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
