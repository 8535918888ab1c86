// npm start is transparent: what the program reads, prints and ends with is what the caller sees.
import { spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, test } from "vitest"

/** A script that runs `program` in its place. */
function wrapper(program: string): string[] {
  const script = `import { passThrough } from ${JSON.stringify(resolve("scripts/pass-through.mjs"))}
    passThrough(process.execPath, ["-e", ${JSON.stringify(program)}])`
  return ["--input-type=module", "-e", script]
}

test("stdin, stdout, stderr and the exit code are the program's", () => {
  const program = "process.stdin.pipe(process.stdout); console.error('said'); process.exitCode = 7"
  const { stdout, stderr, status } = spawnSync(process.execPath, wrapper(program), { input: "typed", encoding: "utf8" })
  expect({ stdout, stderr, status }).toEqual({ stdout: "typed", stderr: "said\n", status: 7 })
})

test("a signal reaches the program, which may end in its own way", async () => {
  const program = "process.on('SIGTERM', () => process.exit(5)); setInterval(() => 0, 1000); console.log('up')"
  const child = spawn(process.execPath, wrapper(program), { stdio: ["ignore", "pipe", "inherit"] })
  child.stdout.once("data", () => child.kill("SIGTERM"))
  expect(await new Promise((done) => child.on("close", (code, signal) => done({ code, signal })))).toEqual({
    code: 5,
    signal: null,
  })
})

test("a program killed by a signal is seen as killed by it", () => {
  const { signal } = spawnSync(process.execPath, wrapper("process.kill(process.pid, 'SIGKILL')"))
  expect(signal).toBe("SIGKILL")
})

test("npm start prints nothing but the program's output, once everything is built", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }
  const { stdout, status } = spawnSync("npm", ["start", "--", "--version"], { encoding: "utf8" })
  expect({ stdout, status }).toEqual({ stdout: `${version}\n`, status: 0 })
})
