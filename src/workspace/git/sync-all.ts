// Makes many files or folders durable together: asked for at once, the system can do it in few writes.

import fs from "node:fs"

/** Contract: durable on return; what is not there any more is passed over. */
export async function syncAll(paths: (string | Buffer)[]): Promise<void> {
  await Promise.all(paths.map(syncOne))
}

async function syncOne(path: string | Buffer): Promise<void> {
  let file: number
  try {
    file = fs.openSync(path, "r")
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return
    throw error
  }
  try {
    await new Promise<void>((resolve, reject) => {
      fs.fsync(file, (error) => (error === null || error === undefined ? resolve() : reject(error)))
    })
  } finally {
    fs.closeSync(file)
  }
}
