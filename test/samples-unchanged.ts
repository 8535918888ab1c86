// Other agents' files are never written to: after the suite, every sample has the bytes and the time that it had before.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

const FORMATS = join(import.meta.dirname, "formats")

/** What vitest calls before all tests; what it answers is called after them. */
export default function before(): () => void {
  const known = samples()
  if (known.size === 0) throw new Error(`There are no samples under ${FORMATS}.`)
  return () => {
    const now = samples()
    const changed = [...new Set([...known.keys(), ...now.keys()])].filter((file) => known.get(file) !== now.get(file))
    if (changed.length === 0) return
    // vitest only prints an error that is thrown here.
    process.exitCode = 1
    throw new Error(`The suite has changed samples of other agents' files: ${changed.join(", ")}`)
  }
}

/** By file: its time, and the hash of its bytes. */
function samples(): Map<string, string> {
  const folders = readdirSync(FORMATS).map((format) => join(FORMATS, format, "samples"))
  const files = folders.filter((folder) => existsSync(folder)).flatMap(filesBelow)
  return new Map(files.map((file) => [file, `${statSync(file, { bigint: true }).mtimeNs} ${hashOf(file)}`]))
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return names.map((name) => join(folder, name)).filter((file) => statSync(file).isFile())
}

function hashOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex")
}
