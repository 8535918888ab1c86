// Parts of a snapshot reach the disk before anything names them, and are not believed when they come back changed.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { wordsFor } from "../../../src/model/failure/failure-words.ts"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { examineObjects, snapshotStores } from "../../../src/workspace/git/doctor/examine-objects.ts"
import { openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
afterEach(() => {
  vi.restoreAllMocks()
})

/** The file that holds these bytes in the store. */
function looseOf(text: string): string {
  const { folder } = snapshotStores(place.home)[0] ?? { folder: "" }
  const files = fs
    .readdirSync(`${folder}/objects`, { recursive: true })
    .map((name) => `${folder}/objects/${String(name)}`)
  const found = files.find((file) => fs.statSync(file).isFile() && fs.readFileSync(file).includes(text))
  if (found === undefined) throw new Error("not stored")
  return found
}

test.skipIf(process.platform !== "linux")(
  "every object and its folder is synced when a snapshot is returned",
  async () => {
    const synced = new Set<string>()
    const fsync = fs.fsync
    vi.spyOn(fs, "fsync").mockImplementation((file, done) => {
      synced.add(fs.readlinkSync(`/proc/self/fd/${file}`))
      fsync(file, done)
    })
    put(place, "a.txt", "the person's words\n")
    const workspace = await openAt(place)
    await workspace.snapshot()
    const file = looseOf("the person's words")
    expect([...synced]).toEqual(expect.arrayContaining([file, nodePath.dirname(file)]))
    await workspace.close()
  },
)

test("an object that a power cut emptied is reported as that, found when the store is examined, and written again when needed", async () => {
  put(place, "a.txt", "old words\n")
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  await workspace.close()
  const file = looseOf("old words")
  fs.chmodSync(file, 0o600)
  fs.truncateSync(file)
  const again = await openAt(place)
  const failure = await again.blob(id, "a.txt").catch((error: unknown) => error)
  if (!(failure instanceof RetconError)) throw new Error("it was read")
  expect(wordsFor(failure.failure)).toMatchObject({
    message: `${file} cannot be read: it is empty, as a power cut leaves it.`,
    advice: expect.arrayContaining([{ do: "doctor" }]),
  })
  const [store] = snapshotStores(place.home)
  expect(examineObjects(store?.folder ?? "")).toEqual([
    { path: file, problem: "it is empty, as a power cut leaves it" },
  ])
  put(place, "b.txt", "old words\n")
  await again.snapshot()
  expect((await again.blob(id, "a.txt"))?.toString()).toBe("old words\n")
  await again.close()
})

test("an object with other bytes is not accepted", async () => {
  put(place, "a.txt", "old words\n")
  const workspace = await openAt(place)
  const { id } = await workspace.snapshot()
  await workspace.close()
  const file = looseOf("old words")
  put(place, "a.txt", "new words\n")
  const again = await openAt(place)
  await again.snapshot()
  fs.chmodSync(file, 0o600)
  fs.copyFileSync(looseOf("new words"), file)
  await expect(again.blob(id, "a.txt")).rejects.toMatchObject({ failure: { code: "damaged", path: file } })
  await again.close()
})
