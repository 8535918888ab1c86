// Runs measurements in separate processes: bundled as the package is, because that is what people run.
import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { build } from "tsdown"
import type { Bench } from "./group.ts"

/** Bundles every `bench/<group>/measure/*.ts`; returns how to run one. A group may have none. */
export async function bundleMeasures(bench: string, groups: readonly string[], out: string): Promise<Bench["measure"]> {
  const entry: { [name: string]: string } = {}
  for (const group of groups) {
    if (!existsSync(join(bench, group, "measure"))) continue
    for (const name of readdirSync(join(bench, group, "measure"))) {
      entry[`${group}/measure/${name.replace(/\.ts$/, "")}`] = join(bench, group, "measure", name)
    }
  }
  if (Object.keys(entry).length === 0)
    return () => Promise.reject(new Error("There is nothing to measure in a process of its own"))
  await build({
    entry,
    outDir: out,
    cwd: bench,
    config: false,
    format: "esm",
    platform: "node",
    target: "node20",
    fixedExtension: true,
    dts: false,
    clean: false,
    report: false,
    logLevel: "error",
    // As in the package: descriptions of tools and the programs of threads are beside the bundle, wherever it is.
    copy: [out, ...groups.map((group) => join(out, group, "measure"))].flatMap((to) =>
      ["../src/agent/tools/*.md", "../dist/*-program.mjs"].map((from) => ({ from: join(bench, from), to })),
    ),
  })
  return (measure, given, options = {}) => run(join(out, `${measure}.mjs`), given, options.memory === true)
}

const children = new Set<ReturnType<typeof spawn>>()
process.on("exit", () => {
  for (const child of children) child.kill()
})

/** The child prints its result as JSON. Forced garbage collections would change how much memory it takes. */
function run<Answer>(file: string, given: object, memory: boolean): Promise<Answer> {
  const args = memory ? [] : ["--expose-gc"]
  const child = spawn(process.execPath, [...args, file, JSON.stringify(given)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  children.add(child)
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) => {
      children.delete(child)
      if (code === 0) resolve(JSON.parse(output) as Answer)
      else reject(new Error(`${file} ended with ${signal ?? code}`))
    })
  })
}
