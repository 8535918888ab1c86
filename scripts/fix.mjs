// npm run fix: formats, and applies the safe fixes of the linters.
import { prepare, runTool } from "./prepare.mjs"

await prepare("install")
const results = [runTool("biome", ["check", "--write"]), runTool("oxlint", ["--fix", "--quiet"])]
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1
