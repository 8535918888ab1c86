// A person's home with sessions of pi, and a home of retcon's to copy them into.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { KeepPlaces } from "../../src/foreign/keep/keep.ts"
import { pi } from "../../src/formats/pi/format.ts"

export interface KeepHome extends KeepPlaces {
  folder: string
  person: string
  /** Writes a session of so many bytes, at least; answers its file and that of its copy. */
  session(name: string, bytes: number): { file: string; copy: string }
}

export function keepHome(): KeepHome {
  const folder = mkdtempSync(join(tmpdir(), "retcon-keep-"))
  const [home, person] = [join(folder, "home"), join(folder, "person")]
  const sessions = join(person, ".pi", "agent", "sessions", "--work--")
  mkdirSync(sessions, { recursive: true })
  return {
    folder,
    home,
    person,
    homes: { home: person, env: {} },
    formats: [pi],
    now: () => Date.now(),
    session(name, bytes) {
      const file = join(sessions, `${name}.jsonl`)
      writeFileSync(file, `${JSON.stringify({ type: "session", name, filled: "x".repeat(bytes) })}\n`)
      return { file, copy: join(home, "kept", "pi", file) }
    },
  }
}
