// Files and images that a person pastes, drops or chooses, as parts of a message.
import type { Part } from "../../src/model/record/record.ts"

const MOST_BYTES = 8_000_000

/** Contract: throws an Error with words for a person. */
export async function attachment(file: File): Promise<Part> {
  if (file.size > MOST_BYTES)
    throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB; you can attach up to 8 MB.`)
  const data = base64(new Uint8Array(await file.arrayBuffer()))
  const mediaType = file.type === "" ? "application/octet-stream" : file.type
  if (mediaType.startsWith("image/")) return { type: "image", mediaType, data }
  return { type: "file", mediaType, data, name: file.name }
}

function base64(bytes: Uint8Array): string {
  let text = ""
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
