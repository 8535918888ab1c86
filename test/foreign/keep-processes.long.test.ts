// Copies by real processes: two at once, and one whose disk is full.
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { run } from "../store/kit.ts"
import { type KeepHome, keepHome } from "./keep-home.ts"

/** No file may become larger than this many KB: to a program that is what a full disk is. */
const small = (kilobytes: number) => ["bash", "-c", `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`, "sh"]

let home: KeepHome
beforeEach(() => {
  home = keepHome()
})
afterEach(() => rmSync(home.folder, { recursive: true, force: true }))

const keepIn = (under: string[] = []) => run("keep", [home.home, home.person], under)

test("a full disk is reported, no half copy is visible, and what was copied before stays", async () => {
  const { file, copy } = home.session("a", 100_000)
  expect(await keepIn(small(50))).toEqual(["disk-full"])
  expect(readdirSync(dirname(copy))).toEqual([])
  expect(await keepIn()).toEqual(["1"])
  const before = readFileSync(copy)
  appendFileSync(file, "y".repeat(100_000))
  expect(await keepIn(small(150))).toEqual(["disk-full"])
  expect(readFileSync(copy).equals(before)).toBe(true)
  expect(await keepIn()).toEqual(["1"])
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
})

test("with several processes at once, each copy is complete, no matter who made it", async () => {
  const sessions = Array.from({ length: 40 }, (_, i) => home.session(`s${i}`, 50_000))
  const printed = await Promise.all([keepIn(), keepIn(), keepIn()])
  expect(printed.flat().every((line) => line === "busy" || Number(line) >= 0)).toBe(true)
  await keepIn()
  for (const { file, copy } of sessions) expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
  expect(await keepIn()).toEqual(["0"])
})
