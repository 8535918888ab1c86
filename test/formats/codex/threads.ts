// Threads among the samples: each in a folder with all that it is made of.
import { readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"

const SAMPLES = join(import.meta.dirname, "samples")

/** A thread by how the name of its first file ends. */
export function threadSample(folder: string, ending: string): { path: string; folder: string } {
  const names = readdirSync(join(SAMPLES, folder))
  return {
    path: join(SAMPLES, folder, names.find((name) => name.endsWith(`${ending}.jsonl`)) as string),
    folder: join(SAMPLES, folder),
  }
}

/** Codex writes to the last file of the thread. */
export function lastFile(path: string): string {
  const thread = basename(path).slice(28, 64)
  const names = readdirSync(dirname(path)).filter((name) => name.includes(thread))
  return join(dirname(path), names.toSorted().at(-1) as string)
}
