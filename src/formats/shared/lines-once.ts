// Reads some lines of a file that are needed repeatedly: once, and again only after the file has changed.
import { createReadStream } from "node:fs"
import { lstat } from "node:fs/promises"
import { createInterface } from "node:readline"
import type { JsonObject } from "../../model/json.ts"
import { parseLine } from "./json-line.ts"

/** `beginnings`: parse only lines that begin like this. A missing file has no lines. */
export function linesOnce(path: string, beginnings: readonly string[]): () => Promise<readonly JsonObject[]> {
  let known: { state: string; lines: Promise<JsonObject[]> } | undefined
  return async () => {
    const stat = await lstat(path)
    const state = `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (known?.state !== state) known = { state, lines: stat.isFile() ? read(path, beginnings) : Promise.resolve([]) }
    return known.lines
  }
}

async function read(path: string, beginnings: readonly string[]): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const text of lines) {
    const line = beginnings.some((start) => text.startsWith(start)) ? parseLine(Buffer.from(text)) : undefined
    if (line !== undefined) found.push(line)
  }
  return found
}
