// npm run bench: builds what is stale, then measures. What follows `--` goes to bench/main.ts.
import { passThrough } from "./pass-through.mjs"
import { prepare, root, toolPath } from "./prepare.mjs"

await prepare("install", "build")
passThrough(toolPath("tsx"), ["bench/main.ts", ...process.argv.slice(2)], { cwd: root })
