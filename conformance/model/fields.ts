// Reads fields of a request whose shape someone else defines.
import { isObject, type Json, type JsonObject, parseJson } from "../../src/model/json.ts"
import { image, type Said } from "../said.ts"

export function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}

/** JSON within a string; the string itself if it is not JSON. */
export function parsed(text: Json | undefined): Json {
  const value = parseJson(string(text))
  return value.ok ? value.value : string(text)
}

/** An image in a `data:` URL. */
export function imageUrl(by: Said["by"], url: string): Said {
  const [, type = "", data = ""] = /^data:([^;]*);base64,(.*)$/s.exec(url) ?? []
  return image(by, type, data)
}
