// npm run api-docs: generates docs/api.md from the API's own document. A test compares the two.
import { prepare, runTool } from "./prepare.mjs"

await prepare("install")
const { status } = runTool("vitest", ["run", "--update", "--reporter=dot", "test/docs/api-page.test.ts"])
process.exitCode = status ?? 1
