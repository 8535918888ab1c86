// Writes a file so that a full disk or a crash leaves the old one, and links stay links.
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { realPath } from "../port/work-root.ts"
import { statOf } from "./stat-of.ts"

let counter = 0

/** Contract: after a rejection the file is as it was. Its mode stays; missing folders are created. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const real = await realPath(path)
  const before = await statOf(real)
  await mkdir(dirname(real), { recursive: true })
  if (before !== undefined && before.nlink > 1) return writeFile(real, text)
  const draft = join(dirname(real), `.${basename(real).slice(0, 200)}.${process.pid}-${counter++}.tmp`)
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
