// Writes a file so that a full disk or a crash leaves the old one, and links stay links.
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { errno } from "../../model/failure/retcon-error.ts"
import { realPath } from "../port/tool.ts"
import { statOf } from "./stat-of.ts"

let counter = 0

/** Contract: after a rejection the file is as it was. Its mode stays; missing folders are created. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const real = await realPath(path)
  const before = await statOf(real)
  const folder = dirname(real)
  await mkdir(folder, { recursive: true })
  if (before !== undefined && before.nlink > 1) return writeFile(real, text)
  // However many bytes each character takes, a name has at most 255.
  const name = `.${basename(real).slice(0, 60)}.retcon-`
  await removeLeft(folder, name)
  const draft = join(folder, `${name}${process.pid}-${counter++}.tmp`)
  try {
    const file = await open(draft, "wx", before?.mode)
    try {
      await file.writeFile(text)
      if (before !== undefined) await file.chmod(before.mode & 0o7777)
    } finally {
      await file.close()
    }
    await rename(draft, real)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Removes drafts of the same file that killed processes left. */
async function removeLeft(folder: string, name: string): Promise<void> {
  for (const each of await readdir(folder).catch(() => [])) {
    const pid = each.startsWith(name) ? /^(\d+)-\d+\.tmp$/.exec(each.slice(name.length))?.[1] : undefined
    if (pid !== undefined && isOver(Number(pid))) await rm(join(folder, each), { force: true }).catch(() => undefined)
  }
}

function isOver(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errno(error) === "ESRCH"
  }
}
