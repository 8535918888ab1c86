// Output that is too long for the model: it gets the beginning and the end, and the path of a file with everything.
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

/** The beginning and the end of a text that is too long, cut at line breaks if little is lost. */
export function headAndTail(text: string, limit: number): { head: string; tail: string; left: number } | undefined {
  if (text.length <= limit) return undefined
  const half = Math.max(1, Math.floor(limit / 2))
  const head = cutEnd(text.slice(0, half))
  const tail = cutStart(text.slice(-half))
  return { head, tail, left: text.length - head.length - tail.length }
}

/** A text that fits into `limit` characters, or nearly. If it was cut, it names a file with all of it. */
export async function limitOutput(
  text: string,
  limit: number,
  keep: { folder: string; name: string },
): Promise<string> {
  const cut = headAndTail(text, limit)
  if (cut === undefined) return text
  const file = outputFile(keep.folder, keep.name)
  await keepInFile(file, text)
  return `${cut.head}\n${gap(cut.left, file)}\n${cut.tail}`
}

export function gap(left: number, file: string | undefined): string {
  const where = file === undefined ? "" : ` All of it is in ${file}; read the part you need.`
  return `[${left} characters left out here.${where}]`
}

/** For the person too, who may want all of it. */
export async function keepInFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, text, { mode: 0o600 })
}

/** Call ids come from a model: none may lead out of the folder. */
export function outputFile(folder: string, name: string): string {
  return join(folder, `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100) || "output"}.txt`)
}

function cutEnd(text: string): string {
  const line = text.lastIndexOf("\n")
  const cut = line > text.length / 2 ? text.slice(0, line) : text
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

function cutStart(text: string): string {
  const line = text.indexOf("\n")
  const cut = line >= 0 && line < text.length / 2 ? text.slice(line + 1) : text
  return /^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut
}
