// What a session knows of the files is kept between runs, and never believed over the store.
import { createHash } from "node:crypto"
import fs from "node:fs"
import nodePath from "node:path"
import { beforeEach, expect, test } from "vitest"
import { openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
beforeEach(() => {
  put(place, "a.txt", "a\n")
  put(place, "folder/b.txt", "b\n")
  put(place, "folder/deeper/c.txt", "c\n")
})

function indexFile(): string {
  const stores = nodePath.join(place.home, "workspaces")
  const indexes = nodePath.join(stores, fs.readdirSync(stores)[0] ?? "", "indexes")
  return nodePath.join(indexes, fs.readdirSync(indexes).find((name) => !name.endsWith(".last")) ?? "")
}

test("after a restart only what changed meanwhile has changed", async () => {
  const first = await openAt(place)
  await first.snapshot()
  put(place, "folder/b.txt", "other\n")
  expect((await first.snapshot()).changed).toEqual(["folder/b.txt"])
  await first.close()
  put(place, "folder/deeper/c.txt", "while it was closed\n")
  const again = await openAt(place)
  expect((await again.snapshot()).changed).toEqual(["folder/deeper/c.txt"])
  await again.close()
})

test("one of another kind is not read, though it is whole", async () => {
  const first = await openAt(place)
  const { id } = await first.snapshot()
  await first.close()
  const body = fs.readFileSync(indexFile()).subarray(20)
  body.write("retcon index 0", 4)
  fs.writeFileSync(indexFile(), Buffer.concat([createHash("sha1").update(body).digest(), body]))
  const again = await openAt(place)
  const next = await again.snapshot()
  expect(next.changed).toHaveLength(3)
  expect(next.id).toBe(id)
  await again.close()
})
