// What `gc` removes from the folders of sessions: only what no session needs, nor one that is being made.
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { emptyTrash, sweepBlobs, sweepDerived } from "../../../src/store/file/folder/sweep.ts"
import { temporaryFolder } from "../kit.ts"

const HOUR = 3_600_000
const THEN = Date.parse("2026-01-31T12:00:00Z")
const ID = "01890000-0000-7000-8000-000000000001"
const OTHER = "01890000-0000-7000-8000-000000000002"

function put(file: string, text: string): string {
  mkdirSync(join(file, ".."), { recursive: true })
  writeFileSync(file, text)
  utimesSync(file, new Date(THEN), new Date(THEN))
  return file
}

test("indexes without their log go at once, locks once they are an hour old; all else stays", () => {
  const home = temporaryFolder()
  const folder = join(home, "sessions", "project-1")
  const lost = ["index", "tips", "move", "lease"].map((suffix) => put(join(folder, `${ID}.${suffix}`), "12345"))
  const kept = [
    put(join(folder, `${OTHER}.jsonl`), "{}\n"),
    put(join(folder, `${OTHER}.index`), "x"),
    put(join(folder, "notes.index"), "x"),
    put(join(folder, `${ID}.txt`), "x"),
  ]
  expect(sweepDerived(home, THEN + HOUR, true)).toEqual({ files: 4, bytes: 20 })
  expect(lost.every((file) => existsSync(file))).toBe(true)
  expect(sweepDerived(home, THEN + HOUR - 1, false)).toEqual({ files: 2, bytes: 10 })
  expect(lost.map((file) => existsSync(file))).toEqual([false, false, true, true])
  expect(sweepDerived(home, THEN + HOUR, false)).toEqual({ files: 2, bytes: 10 })
  expect(lost.some((file) => existsSync(file))).toBe(false)
  expect(kept.every((file) => existsSync(file))).toBe(true)
})

test("blobs that no session names go once they are an hour old", () => {
  const home = temporaryFolder()
  const folder = join(home, "sessions", "project-1")
  const hash = (letter: string) => `sha256-${letter.repeat(64)}`
  for (const letter of ["a", "b", "c"]) put(join(folder, "blobs", hash(letter)), "1234567")
  put(join(folder, `${ID}.jsonl`), `{"id":"1"}\n{"content":[{"blob":"${hash("a")}"}]}\n`)
  put(join(home, "sessions", "project-2", `${OTHER}.jsonl`), `{"content":[{"blob":"${hash("b")}"}]}\n`)
  expect(sweepBlobs(folder, THEN + HOUR - 1, false)).toEqual({ files: 0, bytes: 0 })
  expect(sweepBlobs(folder, THEN + HOUR, true)).toEqual({ files: 1, bytes: 7 })
  expect(sweepBlobs(folder, THEN + HOUR, false)).toEqual({ files: 1, bytes: 7 })
  expect(readdirSync(join(folder, "blobs"))).toEqual([hash("a"), hash("b")])
  expect(sweepBlobs(join(home, "sessions", "none"), THEN + HOUR, false)).toEqual({ files: 0, bytes: 0 })
})

test("the trash is counted, and emptied on request", () => {
  const home = temporaryFolder()
  put(join(home, "trash", "project-1", `${ID}.jsonl`), "123")
  put(join(home, "trash", "project-1", "blobs", "x"), "4567")
  expect(emptyTrash(home, true)).toEqual({ files: 2, bytes: 7 })
  expect(existsSync(join(home, "trash"))).toBe(true)
  expect(emptyTrash(home, false)).toEqual({ files: 2, bytes: 7 })
  expect(existsSync(join(home, "trash"))).toBe(false)
  expect(emptyTrash(home, false)).toEqual({ files: 0, bytes: 0 })
})
