// Which files are worth reading, according to ripgrep. Undefined if it is missing or does not understand the pattern.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { findProgram } from "../../programs/find-program.ts"
import { walkTest } from "./walk-files.ts"

export interface RipgrepOptions {
  folder: string
  root: string
  pattern: string
  env: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** Covers at least what our own expressions need; our own rules decide afterwards which files count. */
const FLAGS = [
  "--no-config",
  "--files-with-matches",
  "--null",
  "--no-messages",
  "--hidden",
  "--crlf",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--glob=!.git",
]
const MOST_OUTPUT = 16_000_000

/** Contract: the same files in the same order as a walk, minus some in which nothing can match. */
export async function filesByRipgrep(options: RipgrepOptions): Promise<string[] | undefined> {
  // Before version 14, the only flag that makes ripgrep ignore this file makes it read everything.
  if (!isPlainForBoth(options.pattern) || existsSync(join(options.folder, ".rgignore"))) return undefined
  const output = await runRipgrep(options)
  if (output === undefined) return undefined
  const walks = walkTest(options.folder, options.root)
  const files: string[] = []
  for (const path of output.split("\0")) if (path !== "" && (await walks(path))) files.push(path)
  return files.sort(inWalkOrder)
}

/** An anchor in the middle, or next to a word boundary: version 13 does not find all matches of these. */
const ODD_ANCHOR = /\\b[$^]|[$^]\\b|[^[|(\\]\^|\$[^|)]/

/** If the two kinds of expressions may differ, ripgrep is not used. */
function isPlainForBoth(pattern: string): boolean {
  if (ODD_ANCHOR.test(pattern)) return false
  return !/\\[^wdbsnrt.()[\]{}+*?|^$/\\-]|\(\?(?!i\))|\[\[|&&|--|~~/.test(pattern) && /^[\x20-\x7e]*$/.test(pattern)
}

async function runRipgrep(options: RipgrepOptions): Promise<string | undefined> {
  const { folder, root, pattern, env, signal } = options
  const program = findProgram("rg", { path: env.PATH, workspace: root })
  if (program === undefined) return undefined
  return new Promise((settle) => {
    const child = spawn(program, [...FLAGS, "-e", pattern, "--", folder], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      signal,
    })
    const parts: Buffer[] = []
    let size = 0
    child.stdout.on("data", (bytes: Buffer) => {
      parts.push(bytes)
      size += bytes.length
      if (size > MOST_OUTPUT) child.kill("SIGKILL")
    })
    child.on("error", () => settle(undefined))
    // 0: something matches. 1: nothing does. Anything else: it failed.
    child.on("close", (code) => settle(code === 0 || code === 1 ? Buffer.concat(parts).toString("utf8") : undefined))
  })
}

function inWalkOrder(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")]
  const at = left.findIndex((name, i) => name !== right[i])
  const [x, y] = [left[at] ?? "", right[at] ?? ""]
  return x < y ? -1 : x > y ? 1 : 0
}
