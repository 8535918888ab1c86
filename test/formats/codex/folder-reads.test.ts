// How often Codex's folders are read when many sessions are opened.
import fs, { mkdirSync, renameSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { dirname, join } from "node:path"
import { afterEach, expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import { temporaryFolder } from "../read-session.ts"
import { meta, rolloutPath, SEGMENT, turn, write } from "./rollouts.ts"

const { readdirSync } = fs
let reads = 0

function countReads(): void {
  reads = 0
  const counting = (...args: Parameters<typeof readdirSync>) => {
    reads++
    return readdirSync(...args)
  }
  fs.readdirSync = counting as unknown as typeof readdirSync
  syncBuiltinESMExports()
}

afterEach(() => {
  fs.readdirSync = readdirSync
  syncBuiltinESMExports()
})

const thread = (n: number) => `01a1e52b-f59f-7d91-9ddb-${String(n).padStart(12, "0")}`

async function files(path: string): Promise<string[]> {
  return (await codex.open({ path, main: path })).sources().map(({ file }) => file)
}

test("opening many sessions reads the folders once, not once for each session", async () => {
  const home = temporaryFolder()
  const paths = Array.from({ length: 40 }, (_, n) =>
    write(rolloutPath(home, thread(n), undefined, String(10 + (n % 15))), meta(thread(n)), turn("one")),
  )
  countReads()
  for (const path of paths) expect(await files(path)).toEqual([path])
  expect(reads).toBeLessThan(60)
})

test("a file that Codex adds meanwhile is found: on the same day, on a new one, in a new month, from the archive", async () => {
  const home = temporaryFolder()
  const path = write(rolloutPath(home, undefined, undefined, "10"), meta(), turn("one"))
  write(rolloutPath(home, thread(1), undefined, "16"), meta(thread(1)), turn("one"))
  const found = [path]
  const add = async (file: string) => {
    write(file, meta(), turn("more"))
    found.push(file)
    expect(await files(path)).toEqual(found)
  }
  expect(await files(path)).toEqual(found)
  await add(rolloutPath(home, undefined, SEGMENT, "16"))
  await add(rolloutPath(home, undefined, SEGMENT.replace("01a1", "01a2"), "17"))
  await add(rolloutPath(home, undefined, SEGMENT.replace("01a1", "01a3"), "17").replaceAll("2026/11/17", "2026/12/01"))
  const archived = join(
    home,
    "archived_sessions",
    `rollout-2026-11-18T10-00-00-${thread(0)}.jsonl`.replace(
      thread(0),
      "01a1e52b-f59f-7d91-9ddb-ff59ca72fede_01a4e52d-236d-7a33-84f6-f63a8cf77988",
    ),
  )
  const aside = write(join(home, "aside.jsonl"), meta(), turn("more"))
  mkdirSync(dirname(archived), { recursive: true })
  renameSync(aside, archived)
  expect(await files(path)).toContain(archived)
})
