// The manifest beside a snapshot's tree, for what a git tree cannot say: permission bits, and what existed but was left
// out, to distinguish "did not exist" from "not covered" later.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { NotCoveredReason } from "../../../model/move/file-outcomes.ts"

export type Manifest = {
  /** The most common permissions; only exceptions are listed. */
  usual: { file: number; executable: number; folder: number }
  perms: Map<string, number>
  /** Everything that existed but was left out; for a folder that was not entered, only the folder. */
  skipped: Map<string, NotCoveredReason>
  /** Nested repositories. */
  repositories: string[]
  /** In a snapshot of given bytes: all that it covers. */
  only?: Set<string>
  /** Only in manifests of version 1, which do not list ignored files. */
  ignoredThen?: IgnoredThen
}

/** The ignore rules that applied, weakest first. `folder` is relative to the workspace and may lead upwards. */
export type IgnoredThen = { rules: { folder: string; text: string }[]; include: string[] }

export const USUAL = { file: 0o644, executable: 0o755, folder: 0o755 }

/** Contract: the same facts give the same bytes. Text is UTF-8; fields end with NUL, so names may contain newlines. */
export function printManifest(manifest: Manifest): Buffer {
  const { usual, perms, skipped, repositories, only } = manifest
  const lines = ["retcon manifest 2", `u${octal(usual.file)} ${octal(usual.executable)} ${octal(usual.folder)}`]
  for (const path of [...perms.keys()].sort()) lines.push(`p${octal(perms.get(path) as number)} ${path}`)
  for (const path of [...skipped.keys()].sort()) lines.push(`n${skipped.get(path)} ${path}`)
  for (const path of [...repositories].sort()) lines.push(`g${path}`)
  if (only !== undefined) lines.push("o", ...[...only].sort().map((path) => `o${path}`))
  return Buffer.from(lines.join("\0"))
}

export function parseManifest(data: Buffer): Manifest {
  const lines = data.toString("utf8").split("\0")
  if (lines[0] !== "retcon manifest 1" && lines[0] !== "retcon manifest 2")
    throw new RetconError({ code: "damaged", path: "manifest", line: 1, problem: "unknown kind" })
  const manifest: Manifest = {
    usual: USUAL,
    perms: new Map(),
    skipped: new Map(),
    repositories: [],
  }
  const then: IgnoredThen = { rules: [], include: [] }
  if (lines[0] === "retcon manifest 1") manifest.ignoredThen = then
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] as string
    const rest = line.slice(1)
    const space = rest.indexOf(" ")
    const word = rest.slice(0, space)
    const path = rest.slice(space + 1)
    switch (line.slice(0, 1)) {
      case "u": {
        const [file = 0o644, executable = 0o755, folder = 0o755] = rest
          .split(" ")
          .map((text) => Number.parseInt(text, 8))
        manifest.usual = { file, executable, folder }
        break
      }
      case "p":
        manifest.perms.set(path, Number.parseInt(word, 8))
        break
      case "n":
        manifest.skipped.set(path, word as NotCoveredReason)
        break
      case "r":
        then.rules.push({ folder: rest, text: lines[++i] ?? "" })
        break
      case "g":
        manifest.repositories.push(rest)
        break
      case "o":
        manifest.only ??= new Set()
        if (rest !== "") manifest.only.add(rest)
        break
      case "i":
        then.include.push(rest)
        break
      default:
        throw new RetconError({ code: "damaged", path: "manifest", line: i + 1, problem: `unknown line ${line[0]}` })
    }
  }
  return manifest
}

function octal(mode: number): string {
  return mode.toString(8)
}
