// Runs a program in our place: its stdin, stdout, stderr, exit code and signals are ours.
import { spawn } from "node:child_process"

/** Never returns: ends this process as the program ended. */
export function passThrough(command, args, options = {}) {
  const child = spawn(command, args, { stdio: "inherit", ...options })
  // A terminal sends Ctrl-C to the whole group: the program already has it, and a second one could mean "now!".
  const forward = (signal) => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal)
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  for (const signal of signals) process.on(signal, forward)
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  })
  child.on("exit", (code, signal) => {
    for (const name of signals) process.off(name, forward)
    if (signal) process.kill(process.pid, signal)
    else process.exit(code)
  })
}
