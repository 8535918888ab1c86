// npm run compare-usage: compares what `retcon usage` counts with what ccusage counts.
import { passThrough } from "./pass-through.mjs"
import { prepare, root, toolPath } from "./prepare.mjs"

await prepare("install")
passThrough(toolPath("tsx"), ["conformance/usage.ts"], { cwd: root })
