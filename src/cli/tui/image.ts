// Images that a person pastes: a named file, or what is on the clipboard.
import { execFile } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { promisify } from "node:util"
import type { Part } from "../../model/record/record.ts"
import { findProgram } from "../../programs/find-program.ts"

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
}
const LARGEST = 10 * 1024 * 1024

interface Image {
  part: Part
  name: string
}

/** Undefined if it is not an image that can be sent: then it was just text. */
export async function readImage(cwd: string, path: string): Promise<Image | undefined> {
  const file = resolve(cwd, path.replace(/^file:\/\//, "").replace(/\\ /g, " "))
  const mediaType = TYPES[file.slice(file.lastIndexOf(".") + 1).toLowerCase()]
  const found = await stat(file).catch(() => undefined)
  if (mediaType === undefined || found === undefined || !found.isFile() || found.size > LARGEST) return undefined
  const data = (await readFile(file)).toString("base64")
  return { part: { type: "image", mediaType, data }, name: basename(file) }
}

const run = promisify(execFile)
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ["wl-paste", "--no-newline", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"],
  ["pngpaste", "-"],
]

type Env = Readonly<Record<string, string | undefined>>

export async function clipboardImage(env: Env, cwd: string): Promise<Image | undefined> {
  for (const [name, ...words] of PROGRAMS) {
    const program = findProgram(name, { path: env.PATH, workspace: cwd })
    if (program === undefined) continue
    const options = { encoding: "buffer" as const, maxBuffer: LARGEST, env: env as NodeJS.ProcessEnv }
    const answer = await run(program, words, options).catch(() => undefined)
    const bytes = answer?.stdout
    if (bytes === undefined || bytes.length < 8 || bytes.readUInt32BE(0) !== 0x89504e47) continue
    const data = bytes.toString("base64")
    return { part: { type: "image", mediaType: "image/png", data }, name: "clipboard.png" }
  }
  return undefined
}
