// Files as Kimi Code keeps them.
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { prompts } from "../../../src/history/tree/tree.ts"
import type { EntryId } from "../../../src/model/id.ts"
import { readSession, temporaryFolder } from "../read-session.ts"

const SAMPLE = join(import.meta.dirname, "samples", "three-rounds")

/** What the files held before each prompt, oldest first. */
async function filesBefore(path: string): Promise<Record<string, string | null>[]> {
  const { history, opened } = await readSession(kimiCode, path)
  const found: Record<string, string | null>[] = []
  for (const row of prompts(history, history.head)) {
    const files = (await opened.fileHistory?.().before(history.id(row) as EntryId)) ?? []
    const read = await Promise.all(files.map(async (file) => [file.path, await file.bytes()] as const))
    found.push(Object.fromEntries(read.map(([file, bytes]) => [file, bytes === null ? null : String(bytes)])))
  }
  return found
}

const FILE = "/home/you/project/tool-out-2.txt"

test("before the turn that wrote a file it did not exist, afterwards it does", async () => {
  expect(await filesBefore(SAMPLE)).toEqual([{ [FILE]: null }, { [FILE]: null }, { [FILE]: "written in round 2\n" }])
})

test("a missing copy does not mean that the file did not exist", async () => {
  const copy = join(temporaryFolder(), "session")
  cpSync(SAMPLE, copy, { recursive: true })
  rmSync(join(copy, "agents", "main", "file-history"), { recursive: true })
  expect(await filesBefore(copy)).toEqual([{ [FILE]: null }, { [FILE]: null }, {}])
})
