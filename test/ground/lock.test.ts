// The lock under which npm start installs and builds, between real processes.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-lock-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Adds one to a number in a file, in two steps that another process could come between. */
const program = () => `
  import { readFileSync, writeFileSync } from "node:fs"
  import { setTimeout as wait } from "node:timers/promises"
  import { withLock } from ${JSON.stringify(resolve("scripts/lock.mjs"))}
  const [lock, file] = ${JSON.stringify([join(folder, "lock"), join(folder, "count")])}
  await withLock(lock, async () => {
    const count = Number(readFileSync(file, "utf8"))
    await wait(20)
    writeFileSync(file, String(count + 1))
  })`

function add(): Promise<number | null> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program()], { stdio: "ignore" })
  return new Promise((done) => child.on("close", done))
}

function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid
}

test("processes that start together take turns", async () => {
  writeFileSync(join(folder, "count"), "0")
  expect(await Promise.all([add(), add(), add(), add()])).toEqual([0, 0, 0, 0])
  expect(readFileSync(join(folder, "count"), "utf8")).toBe("4")
  expect(existsSync(join(folder, "lock"))).toBe(false)
})

test("the lock of a process that died is taken over, by one of those who wait", async () => {
  writeFileSync(join(folder, "count"), "0")
  writeFileSync(join(folder, "lock"), String(deadPid()))
  expect(await Promise.all([add(), add(), add()])).toEqual([0, 0, 0])
  expect(readFileSync(join(folder, "count"), "utf8")).toBe("3")
})
