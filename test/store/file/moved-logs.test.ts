// Logs that move to the folder of another directory, and a power cut after that.
import fs, { readdirSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { basename, dirname, join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { logFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { moveLogs } from "../../../src/store/file/folder/move-logs.ts"
import { FAST, header, message, parts, temporaryFolder } from "../kit.ts"

/** What the system is asked to do from now on: folders that are made to last, and files that get another name. */
function watchDisk(): string[] {
  const done: string[] = []
  const open = new Map<number, string>()
  const { openSync, fsyncSync, renameSync } = fs
  vi.spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
    const fd = openSync(path, ...rest)
    open.set(fd, String(path))
    return fd
  })
  vi.spyOn(fs, "fsyncSync").mockImplementation((fd) => {
    done.push(`sync ${open.get(fd)}`)
    fsyncSync(fd)
  })
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    done.push(`rename ${String(to)}`)
    renameSync(from, to)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
  return done
}

async function newSession(home: string, cwd: string): Promise<string> {
  const first = header({ cwd })
  const log = await fileStore({ home }).create(first)
  await log.append([message(null, "hello")], FAST)
  await log.close()
  return logFile(home, cwd, first.id)
}

test("a log that has moved into a folder with others survives a power cut, in the new folder alone", async () => {
  const home = temporaryFolder()
  const old = await newSession(home, "/from")
  const folder = dirname(await newSession(home, "/to"))
  const done = watchDisk()
  await moveLogs(home, [{ from: "/from", to: "/to", ids: "all" }], () => Date.now())
  const moved = done.indexOf(`rename ${join(folder, basename(old))}`)
  expect(moved).toBeGreaterThanOrEqual(0)
  expect(done.slice(moved)).toEqual(expect.arrayContaining([`sync ${folder}`, `sync ${dirname(old)}`]))
})

test("a folder of logs that has moved as a whole survives a power cut", async () => {
  const home = temporaryFolder()
  const old = await newSession(home, "/from")
  const folder = dirname(logFile(home, "/to", parts.ids.session()))
  const done = watchDisk()
  await moveLogs(home, [{ from: "/from", to: "/to", ids: "all" }], () => Date.now())
  expect(done.slice(done.indexOf(`rename ${folder}`))).toContain(`sync ${dirname(folder)}`)
  expect(readdirSync(folder)).toContain(basename(old))
})
