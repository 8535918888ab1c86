// What a project tells agents: AGENTS.md and CLAUDE.md from the repository's root down to the workspace. As data.
import { createHash } from "node:crypto"
import { type FileHandle, open, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { errno } from "../../model/failure/retcon-error.ts"
import { isMissing, isWithin, realPath } from "../port/tool.ts"

export interface Instructions {
  path: string
  text: string
  /** This is only the beginning of the file. */
  cut: boolean
}

export interface InstructionLimits {
  /** Bytes of one file, and of all together. */
  file: number
  total: number
}

const NAMES = ["AGENTS.md", "CLAUDE.md"]
const LIMITS: InstructionLimits = { file: 32_000, total: 64_000 }

/**
 * Contract: outermost first, so that the nearest is read last. Without a repository, only the workspace itself is
 * searched. A file that occurs twice, as a link or a copy, is included once; a link that leads outside is not followed.
 */
export async function findInstructions(workspace: string, limits = LIMITS): Promise<Instructions[]> {
  const root = await repositoryRoot(workspace)
  const real = await realPath(root)
  const found: Instructions[] = []
  const seen = new Set<string>()
  let left = limits.total
  // The nearest are the most specific: if there is no room for all, the outermost are cut.
  for (const folder of foldersBetween(root, workspace).reverse()) {
    for (const name of NAMES.toReversed()) {
      const path = join(folder, name)
      if (left <= 0 || !isWithin(real, await realPath(path))) continue
      const read = await beginning(path, Math.min(limits.file, left))
      if (read === undefined || read.text.trim() === "") continue
      const hash = createHash("sha256").update(read.text).digest("hex")
      if (seen.has(hash)) continue
      seen.add(hash)
      left -= Buffer.byteLength(read.text)
      found.push({ path, ...read })
    }
  }
  return found.reverse()
}

async function repositoryRoot(workspace: string): Promise<string> {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return folder
    if (folder === dirname(folder)) return workspace
  }
}

function foldersBetween(root: string, workspace: string): string[] {
  return root === workspace ? [root] : [...foldersBetween(root, dirname(workspace)), workspace]
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES") return false
    throw error
  }
}

async function beginning(path: string, limit: number): Promise<{ text: string; cut: boolean } | undefined> {
  let file: FileHandle | undefined
  try {
    if (!(await stat(path)).isFile()) return undefined
    file = await open(path)
    const bytes = new Uint8Array(limit + 1)
    const { bytesRead } = await file.read(bytes, 0, limit + 1, 0)
    const cut = bytesRead > limit
    // stream: omits a character that the limit cuts in two.
    const text = new TextDecoder().decode(bytes.subarray(0, Math.min(bytesRead, limit)), { stream: cut })
    return { text, cut }
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES" || errno(error) === "ELOOP") return undefined
    throw error
  } finally {
    await file?.close()
  }
}
