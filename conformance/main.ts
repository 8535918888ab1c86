// npm run conformance: checks whether other agents' real programs agree with retcon. Exits with 1 if one does not.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { writeDocs } from "./docs.ts"
import { install } from "./install.ts"
import { keepResults } from "./known-results.ts"
import { namespace } from "./namespace.ts"
import { type Options, readOptions } from "./options.ts"
import { PROGRAMS } from "./programs/all.ts"
import { isSurprise, type Result, resultLine, withoutFolder } from "./result.ts"
import type { Given } from "./worker.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

async function main(options: Options): Promise<void> {
  const net = namespace()
  if (!net.ok) {
    process.stderr.write(`${net.missing}\n`)
    process.exitCode = 2
    return
  }
  const cache = join(root, ".cache/conformance")
  mkdirSync(cache, { recursive: true })
  // Programs remember folders by their real paths.
  const folder = realpathSync(mkdtempSync(join(cache, "run-")))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const results: Result[] = []
  for (const program of PROGRAMS.filter(({ name }) => options.programs.includes(name))) {
    process.stdout.write(`${program.name} ${program.version}\n`)
    const { only, verbose } = options
    const installed = install(program, cache)
    const { packages } = program.driven ?? {}
    const adapter = packages === undefined ? "" : install({ name: `${program.name}-adapter`, packages }, cache)
    const given = {
      program: program.name,
      installed,
      adapter,
      folder,
      retcon: join(root, "dist/cli.cjs"),
      only,
      verbose,
    }
    await runCases(net.argv, given, (told) => {
      const result = withoutFolder(told, folder)
      results.push(result)
      process.stdout.write(`${resultLine(result)}\n`)
    })
  }
  if (options.writeDocs) {
    const known = keepResults(join(root, "conformance/results.json"), results, new Date())
    writeDocs(join(root, "docs/conformance.md"), known)
  }
  const surprises = results.filter(isSurprise).length
  process.stdout.write(surprises === 0 ? "They agree.\n" : `${surprises} not as expected.\n`)
  process.exitCode = surprises === 0 ? 0 : 1
}

function runCases(
  [command, ...prefix]: [string, ...string[]],
  given: Given,
  report: (result: Result) => void,
): Promise<void> {
  const worker = [join(root, "node_modules/.bin/tsx"), join(root, "conformance/worker.ts"), JSON.stringify(given)]
  const child = spawn(command, [...prefix, ...worker], { stdio: ["ignore", "pipe", "inherit"] })
  createInterface({ input: child.stdout }).on("line", (line) => report(JSON.parse(line) as Result))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`the cases of ${given.program} ended with ${signal ?? code}`)),
    )
  })
}

const options = readOptions(process.argv.slice(2))
if ("usage" in options) {
  process.stdout.write(`${options.usage}\n`)
  process.exitCode = options.exit
} else await main(options)
