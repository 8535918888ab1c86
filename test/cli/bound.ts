// Runs as somebody who is bound by permissions, as root is not.
import { chownSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** `folder`, and all in it, belongs to that somebody from then on. */
export async function bound(folder: string, work: () => Promise<void>): Promise<void> {
  const root = process.getuid?.() === 0
  if (root) {
    chownSync(folder, 65534, 65534)
    for (const name of readdirSync(folder, { recursive: true })) chownSync(join(folder, String(name)), 65534, 65534)
    process.seteuid?.(65534)
  }
  try {
    await work()
  } finally {
    if (root) process.seteuid?.(0)
  }
}
