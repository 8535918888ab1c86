// Makes many files or folders durable together: that way the system needs few writes.
import fs from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"

const AT_ONCE = 32

/** Opens a file to be made durable; undefined if it no longer exists. */
type Opener = () => number | undefined

/** Contract: durable on return; at most 32 are open at a time, however many there are, and none when it fails. */
export async function syncAll(files: (string | Opener)[]): Promise<void> {
  const waiting = files.values()
  const worker = async () => {
    for (const file of waiting) await syncOne(file)
  }
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, files.length) }, worker))
  for (const each of ended) if (each.status === "rejected") throw each.reason
}

async function syncOne(which: string | Opener): Promise<void> {
  const file = opened(which)
  if (file === undefined) return
  try {
    await new Promise<void>((resolve, reject) => {
      fs.fsync(file, (error) => (error === null || error === undefined ? resolve() : reject(error)))
    })
  } finally {
    fs.closeSync(file)
  }
}

function opened(which: string | Opener): number | undefined {
  try {
    return typeof which === "string" ? fs.openSync(which, "r") : which()
  } catch (error) {
    const code = errno(error)
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined
    throw error
  }
}
