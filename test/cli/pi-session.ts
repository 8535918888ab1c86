// A session of pi in the home of a person.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const SAMPLE = join(import.meta.dirname, "../formats/pi/samples/branched.jsonl")
/** pi's own name of it; 553265 is its short id. */
export const PI_NAME = "01a1e0f3-469b-754c-b6db-6272ee553265"

/** Answers its file. `folder`: the person's home is in it. `cwd`: the session belongs there. */
export function putPiSession({ folder, cwd }: { folder: string; cwd: string }): string {
  const name = `2026-11-15T20-43-22-140Z_${PI_NAME}.jsonl`
  const file = join(folder, "person", ".pi", "agent", "sessions", "--work--", name)
  mkdirSync(dirname(file), { recursive: true })
  const text = readFileSync(SAMPLE, "utf8")
  writeFileSync(file, text.replace('"cwd":"/home/dev/repo/agent/w/pi"', `"cwd":${JSON.stringify(cwd)}`))
  utimesSync(file, new Date("2026-11-15T21:05:10Z"), new Date("2026-11-15T21:05:10Z"))
  return file
}
