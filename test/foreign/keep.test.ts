// Copies while things go wrong: files that change under the reader, another process, a pass that is stopped.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { cleanUps } from "../../src/foreign/keep/clean-ups.ts"
import { keep } from "../../src/foreign/keep/keep.ts"
import { keepFile, planFile } from "../../src/foreign/keep/keep-file.ts"
import { forgetSize, keptSize } from "../../src/foreign/keep/kept-size.ts"
import { restoreKept } from "../../src/foreign/keep/restore-kept.ts"
import { pi } from "../../src/formats/pi/format.ts"
import { takeClaim } from "../../src/store/file/locks/held-claim.ts"
import { type KeepHome, keepHome } from "./keep-home.ts"

const MB = 1024 * 1024

let home: KeepHome
beforeEach(() => {
  home = keepHome()
})
afterEach(() => rmSync(home.folder, { recursive: true, force: true }))

/** Starts to copy a file, lets `meanwhile` happen after the first piece, and finishes. */
function interrupted(file: string, copy: string, meanwhile: () => void): boolean {
  const planned = planFile(file, copy)
  if (planned === undefined) throw new Error("there is nothing to copy")
  const copying = keepFile(planned, true)
  expect(copying.next().done).toBe(false)
  meanwhile()
  for (let step = copying.next(); ; step = copying.next()) if (step.done === true) return step.value
}

test("a new file that shrinks while it is copied leaves nothing, and is copied the next time", async () => {
  const { file, copy } = home.session("a", 3 * MB)
  expect(interrupted(file, copy, () => truncateSync(file, MB))).toBe(false)
  expect(readdirSync(dirname(copy))).toEqual([])
  await keep(home)
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
})

test("a file that grew and shrinks while it is copied leaves the copy as it was", async () => {
  const { file, copy } = home.session("a", MB)
  await keep(home)
  const before = readFileSync(copy)
  appendFileSync(file, "y".repeat(3 * MB))
  expect(interrupted(file, copy, () => truncateSync(file, before.length))).toBe(false)
  expect(readFileSync(copy).equals(before)).toBe(true)
})

test("a file that grows while it is copied is a copy of what it was, and the rest comes the next time", async () => {
  const { file, copy } = home.session("a", 2 * MB)
  const before = readFileSync(file)
  expect(interrupted(file, copy, () => appendFileSync(file, "more\n"))).toBe(true)
  expect(readFileSync(copy).equals(before)).toBe(true)
  expect((await keep(home)).files).toMatchObject([{ change: "grown", bytes: 5 }])
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
})

test("a file that has grown without a later time is copied nevertheless", async () => {
  const { file, copy } = home.session("a", 1000)
  const then = new Date("2026-01-31T12:00:00Z")
  utimesSync(file, then, then)
  await keep(home)
  // From here on the copy is known to be whole.
  await keep(home)
  appendFileSync(file, "more\n")
  utimesSync(file, then, then)
  await keep(home)
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
})

test("what another version of retcon believes to be copied is looked at again", async () => {
  const { file, copy } = home.session("a", 1000)
  await keep(home)
  await keep(home)
  appendFileSync(file, "more\n")
  const { size, mtimeMs } = statSync(file)
  const known = { version: 99, files: { [file]: [size, mtimeMs] } }
  writeFileSync(join(home.home, "cache", "pi", "kept-files.json"), JSON.stringify(known))
  await keep(home)
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
})

test("the space that copies take is that of their files, counted again after a change", async () => {
  expect(keptSize(home.home)).toBe(0)
  const files = ["a", "b"].map((name) => home.session(name, 1000).file)
  await keep(home)
  expect(keptSize(home.home)).toBe(0)
  forgetSize(home.home)
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  expect(keptSize(home.home)).toBe(bytes)
})

test("what a killed process left half done is completed", async () => {
  const { file, copy } = home.session("a", 100)
  await keep(home)
  appendFileSync(file, "one\ntwo\n")
  appendFileSync(copy, "one\nt")
  writeFileSync(`${copy}.tmp`, "left over")
  await keep(home)
  expect(readFileSync(copy).equals(readFileSync(file))).toBe(true)
  writeFileSync(file, "{}\n")
  await keep(home)
  expect(readFileSync(copy, "utf8")).toBe("{}\n")
  expect(existsSync(`${copy}.tmp`)).toBe(false)
})

test("while another process copies, nothing is done, and it is named", async () => {
  const { copy } = home.session("a", 100)
  await keep(home)
  const { copy: second } = home.session("b", 100)
  const { release } = takeClaim({ file: join(home.home, "kept", "lock"), kind: "file", now: home.now })
  expect((await keep(home)).busy).toEqual({ pid: process.pid })
  expect([copy, second].map((path) => existsSync(path))).toEqual([true, false])
  release?.()
  expect((await keep(home)).files).toHaveLength(1)
})

test("a pass that is stopped has complete copies of what it had time for, and leaves out what is too much for it", async () => {
  const { copy: large } = home.session("a", MB)
  const copies = ["b", "c", "d"].map((name) => home.session(name, 100).copy)
  let asked = 0
  const { files } = await keep(home, { most: MB / 2, stop: () => ++asked > 4 })
  expect(files).toHaveLength(1)
  expect([large, ...copies].map((path) => existsSync(path))).toEqual([false, true, false, false])
})

test("a session that was emptied or removed comes back from its copy; one with something in it stays", async () => {
  const { file, copy } = home.session("a", 1000)
  await keep(home)
  const restore = () =>
    restoreKept(pi, { path: copy, main: copy }, { name: "a", folder: join(home.home, "kept", "pi"), present: false })
  writeFileSync(file, "")
  expect(restore()).toMatchObject({ outcome: "restored", files: [file] })
  expect(readFileSync(file).equals(readFileSync(copy))).toBe(true)
  rmSync(file)
  expect(restore()).toMatchObject({ outcome: "restored", files: [file] })
  writeFileSync(file, "x")
  expect(restore()).toEqual({ outcome: "refused", because: "there", file })
  expect(readFileSync(file, "utf8")).toBe("x")
  expect(readdirSync(dirname(file))).toEqual(["a.jsonl"])
})

test("what an agent will delete within a week is told, with how much of it has no copy", async () => {
  const now = Date.parse("2026-06-30T12:00:00Z")
  const used = (name: string, daysAgo: number) => {
    const { file } = home.session(name, 10)
    utimesSync(file, new Date(now), new Date(now - daysAgo * 24 * 60 * 60 * 1000))
  }
  const agent = { ...pi, cleanUp: () => ({ days: 30, folder: home.person }) }
  const due = () => cleanUps([agent], { home: home.home, homes: home.homes, now, cwd: "/" })
  used("lately", 20)
  expect(due()).toEqual([])
  used("a while ago", 24)
  used("long ago", 28.5)
  const told = { agent: "pi", folder: home.person, days: 30, files: 2, ahead: 7, first: 2, notKept: 2 }
  expect(due()).toEqual([told])
  await keep(home)
  expect(due()).toEqual([{ ...told, notKept: 0 }])
  used("too long ago", 31)
  expect(due()).toEqual([{ ...told, files: 3, first: 0, notKept: 1 }])
})
