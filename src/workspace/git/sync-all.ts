// Makes many files or folders durable together: asked for at once, the system can do it in few writes.

import fs from "node:fs/promises"

/** Contract: durable on return; what is not there any more is passed over. */
export async function syncAll(paths: (string | Buffer)[]): Promise<void> {
  await Promise.all(paths.map(syncOne))
}

async function syncOne(path: string | Buffer): Promise<void> {
  let file: fs.FileHandle
  try {
    file = await fs.open(path, "r")
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return
    throw error
  }
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
