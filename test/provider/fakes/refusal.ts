// What the fakes' rules share: how a request is refused, and how large it is.
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"

/** The vendor's words, and the status they come with; 400 unless it says otherwise. */
export class Refusal extends Error {
  readonly status: number
  readonly more: JsonObject

  constructor(message: string, status = 400, more: JsonObject = {}) {
    super(message)
    this.status = status
    this.more = more
  }
}

export function refuse(message: string, status?: number, more?: JsonObject): never {
  throw new Refusal(message, status, more)
}

export function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}

const BYTES = new Set(["data", "url", "image_url"])

/** A rough count, for a window of a test's own choosing. The bytes of images are not counted as text. */
export function tokensOf(value: Json): number {
  const text = JSON.stringify(value, (key, each: Json) => (typeof each === "string" && BYTES.has(key) ? "" : each))
  return Math.ceil(text.length / 4)
}
