// Runs test files on request of its parent. One vitest for many runs: what it has read and compiled stays, and only the
// changed file is read again. Each run has a new process for its tests, so that no loaded state survives.
import { createVitest } from "vitest/node"

class InOrder {
  sort(files) {
    return files
  }
  shard(files) {
    return files
  }
}

const reporter = { onTestModuleEnd: () => process.send("alive") }
const quiet = { watch: false, reporters: [reporter], coverage: { enabled: false } }
const vitest = await createVitest("test", {
  ...quiet,
  isolate: false,
  maxWorkers: 1,
  bail: 1,
  sequence: { sequencer: InOrder },
})
await vitest.globTestSpecifications()
process.on("message", (message) => void tryChange(message))

async function tryChange({ changed, tests }) {
  vitest.invalidateFile(changed)
  // Failures of earlier runs count towards `bail`.
  vitest.state.idMap.clear()
  vitest.state.filesMap.clear()
  const specifications = tests.flatMap((file) => vitest.getModuleSpecifications(file))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  vitest.invalidateFile(changed)
  const failing = testModules.find((module) => module.state() === "failed")
  process.send({
    failing: failing?.moduleId,
    name: (failing && [...failing.children.allTests("failed")][0]?.fullName) ?? "",
    unhandled: failing === undefined && unhandledErrors.length > 0,
    // The end of a run that was cut short at its first failure can cut the next one short too.
    whole: testModules.length === specifications.length && testModules.every(hasRun),
  })
}
process.send("ready")

/** True even if all of its tests skip themselves on this machine. */
function hasRun(module) {
  const tests = [...module.children.allTests()]
  return module.state() === "passed" || (tests.length > 0 && tests.every((test) => test.result().state === "skipped"))
}
