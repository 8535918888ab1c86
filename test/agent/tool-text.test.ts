import { execFileSync } from "node:child_process"
import { readdirSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import { build } from "tsdown"
import { expect, test } from "vitest"
import { createJobs } from "../../src/agent/process/jobs.ts"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { program } from "../../tsdown.config.ts"
import { temporaryFolder } from "./setting.ts"

const tools = builtInTools({
  jobs: createJobs(),
  runTask: async () => ({ output: "" }),
  checkpoints: () => [],
})

test("every tool has a description and a schema of an object", () => {
  for (const tool of tools) {
    expect(tool.description.length).toBeGreaterThan(50)
    expect(tool.input).toMatchObject({ type: "object", additionalProperties: false })
  }
  expect(tools.map((tool) => tool.name)).toEqual(
    "Read Write Edit Bash BashOutput Glob Grep Todo Task Backtrack".split(" "),
  )
})

test("descriptions are found from the bundle too", async () => {
  const folder = temporaryFolder()
  const outDir = join(folder, "dist")
  const entry = { tools: "src/agent/tools/built-in.ts" }
  await build({ ...program, config: false, entry, outDir, dts: false, logLevel: "silent" })
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"))
  const script = `
    const { builtInTools } = require(${JSON.stringify(`${outDir}/tools.cjs`)})
    const tools = builtInTools({ jobs: {}, runTask: () => {}, checkpoints: () => [] })
    console.log(JSON.stringify(tools.map((tool) => tool.description)))`
  // One more than tools: what Bash says of a sandbox.
  expect(readdirSync(outDir).filter((name) => name.endsWith(".md"))).toHaveLength(tools.length + 1)
  const printed = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })
  expect(JSON.parse(printed)).toEqual(tools.map((tool) => tool.description))
})
