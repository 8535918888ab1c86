import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { neovate } from "../../../src/formats/neovate/format.ts"
import type { EntryId } from "../../../src/model/id.ts"
import { linesFile, temporaryFolder } from "../read-session.ts"

const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, "0")}`
const line = (n: number, role: string) => ({
  parentUuid: n === 1 ? null : uuid(n - 1),
  uuid: uuid(n),
  role,
  content: "text",
  type: "message",
})
const snapshot = (n: number, files: Record<string, string | null>) => ({
  type: "file-history-snapshot",
  messageId: uuid(n),
  snapshot: {
    messageId: uuid(n),
    trackedFileBackups: Object.fromEntries(
      Object.entries(files).map(([path, name]) => [path, { backupFileName: name, version: 1 }]),
    ),
  },
})

const A1 = "aaaaaaaaaaaaaaaa@v1"
const A2 = "aaaaaaaaaaaaaaaa@v2"

test("what files contained before a prompt is what Neovate copied first after it", async () => {
  const home = temporaryFolder()
  const folder = join(home, ".neovate", "file-history", "65a89596")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, A1), "first")
  writeFileSync(join(folder, A2), "second")
  writeFileSync(join(home, "secret"), "secret")
  const lines = [
    line(1, "user"),
    line(2, "assistant"),
    snapshot(2, { "a.txt": A1, "new.txt": null }),
    line(3, "user"),
    line(4, "assistant"),
    snapshot(4, { "a.txt": A2, "../outside.txt": A1, "b.txt": "../../../secret", "gone.txt": "bbbbbbbbbbbbbbbb@v1" }),
  ]
  const path = linesFile(lines, ".neovate/projects/home-you/65a89596.jsonl", home)
  const opened = await neovate.open({ path, main: path })
  const before = async (n: number) => {
    const files = (await opened.fileHistory?.().before(uuid(n) as EntryId)) ?? []
    return Promise.all(files.map(async ({ path, bytes }) => [path, (await bytes())?.toString() ?? null]))
  }
  expect(await before(1)).toEqual([
    ["a.txt", "first"],
    ["new.txt", null],
  ])
  expect(await before(3)).toEqual([["a.txt", "second"]])
})
