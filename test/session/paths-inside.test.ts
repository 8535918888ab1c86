// Which files of the workspace a tool call names, however it names them.
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { pathsInside } from "../../src/session/files/known/paths-inside.ts"
import { temporaryFolder } from "../formats/read-session.ts"

test("only paths inside the folder count, relative to it", () => {
  const above = temporaryFolder()
  const root = join(above, "root")
  mkdirSync(join(root, "a"), { recursive: true })
  const named = [
    root,
    above,
    join(above, "beside"),
    join(root, "a/b.txt"),
    join(root, "new/c.txt"),
    "/",
    join(root, "..d"),
  ]
  expect(pathsInside(root, named)).toEqual(["a/b.txt", "new/c.txt", "..d"])
})

test("a link is named as it is and as what a write to it would change", () => {
  const above = temporaryFolder()
  const root = join(above, "root")
  mkdirSync(join(root, "a"), { recursive: true })
  symlinkSync("a", join(root, "link"))
  symlinkSync(above, join(root, "out"))
  expect(pathsInside(root, [join(root, "link/x")])).toEqual(["link/x", "a/x"])
  expect(pathsInside(root, [join(root, "out/x")])).toEqual(["out/x"])
  symlinkSync(root, join(above, "way"))
  expect(pathsInside(join(above, "way"), [join(root, "a/x")])).toEqual(["a/x"])
})
