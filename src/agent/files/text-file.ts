// A file as text that can be written back byte for byte, or the reason why that is not possible.
import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { isMissing } from "../port/tool.ts"
import { contentKind } from "./content.ts"

export type TextFile =
  | { kind: "text"; text: string; hash: string }
  | { kind: "binary"; hash: string }
  | { kind: "missing"; hash: string }
  | { kind: "directory" }
  /** A pipe, a device, a socket: reading it could block forever. */
  | { kind: "other" }

export async function readText(path: string): Promise<TextFile> {
  let bytes: Buffer
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { kind: "directory" }
    if (!found.isFile()) return { kind: "other" }
    bytes = await readFile(path)
  } catch (error) {
    if (isMissing(error)) return { kind: "missing", hash: "missing" }
    throw error
  }
  const hash = createHash("sha256").update(bytes).digest("hex")
  const kind = contentKind(bytes)
  // ignoreBOM keeps the byte order mark in the text, so that it is written back.
  return kind.kind === "text" && kind.utf8
    ? { kind: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), hash }
    : { kind: "binary", hash }
}
