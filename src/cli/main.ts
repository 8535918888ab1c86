#!/usr/bin/env node
// The program: what was typed, the standard streams, signals and the exit code. All else is in run.ts.
import { createRequire } from "node:module"
import { EXIT } from "./errors.ts"
import { interruptsIgnored } from "./interrupt.ts"
import { runCommand } from "./run.ts"
import { outputOn } from "./terminal.ts"

const { version } = createRequire(import.meta.url)("retcon/package.json") as { version: string }
const out = outputOn(process.stdout, process.env)
const err = outputOn(process.stderr, process.env)

// Whoever read our output has seen enough (`retcon log | head`): that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.done)
    throw error
  })
}
process.on("SIGINT", () => {
  if (!interruptsIgnored()) process.exit(EXIT.interrupted)
})

process.exitCode = await runCommand(process.argv.slice(2), {
  version,
  out,
  err,
  debug: process.env.RETCON_DEBUG !== undefined && process.env.RETCON_DEBUG !== "",
  start: async (globals) => {
    const { startCli } = await import("./machine.ts")
    return startCli(globals, { out, err }, version)
  },
})
