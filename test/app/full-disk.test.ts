// No room for a snapshot: what could not be taken back is not done, that is said, and nothing is left lying about.
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { bash, talk } from "./talk.ts"

/** A disk of a megabyte; undefined where none can be mounted. */
function smallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "retcon-full-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder]))
  return folder
}

const write = (path: string) => ({ calls: [{ name: "Write", input: { path, content: "new\n" } }] })

test.each([
  ["few files", 1],
  ["many files, which are saved as one pack", 100],
])("in yolo mode nothing is written while the disk is full: %s", async (_, count) => {
  const disk = smallDisk()
  if (disk === undefined) return console.warn("Skipped: no disk of its own can be mounted here.")
  const at = talk([write("a.txt"), bash("touch b.txt"), { text: "I could not." }, write("a.txt"), { text: "Done." }], {
    openWorkspace: (root, session, store) =>
      openGitWorkspace({
        root,
        home: disk,
        session,
        store,
        clock: () => Date.now(),
        newId: () => randomBytes(8).toString("hex"),
      }),
  })
  for (let n = 0; n < count; n++) writeFileSync(join(at.root, `old-${n}`), randomBytes(300_000 / count))
  const { session, events } = await at.open()
  writeFileSync(join(disk, "filler"), Buffer.alloc(800_000))
  await session.send({ text: "write" })
  const results = events.flatMap((event) => (event.type === "tool-end" ? [event] : []))
  expect(results).toMatchObject([
    { error: true, output: expect.stringMatching(/^This call was not made\. The files could not be saved before it/) },
    { error: true, output: expect.stringContaining("This call was not made") },
  ])
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []))
  expect(notices).toEqual([expect.stringMatching(/^The files could not be saved, .*full/)])
  expect(readdirSync(at.root).filter((name) => !name.startsWith("old-"))).toEqual([])
  expect(readdirSync(disk, { recursive: true }).filter((name) => /tmp-/.test(String(name)))).toEqual([])

  rmSync(join(disk, "filler"))
  expect(await session.send({ text: "again" })).toMatchObject({ outcome: "done" })
  expect(existsSync(join(at.root, "a.txt"))).toBe(true)
  expect(await session.undo({ files: "restore" })).toMatchObject({ outcome: "moved", files: [{ path: "a.txt" }] })
  expect(existsSync(join(at.root, "a.txt"))).toBe(false)
})
