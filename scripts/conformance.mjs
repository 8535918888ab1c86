// npm run conformance: builds what is stale, then asks the real programs. What follows `--` goes to conformance/main.ts.
import { passThrough } from "./pass-through.mjs"
import { prepare, root, toolPath } from "./prepare.mjs"

await prepare("install", "build")
passThrough(toolPath("tsx"), ["conformance/main.ts", ...process.argv.slice(2)], { cwd: root })
