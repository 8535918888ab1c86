// Reading fields of a request whose shape is somebody else's.
import { isObject, type Json, type JsonObject } from "../../src/model/json.ts"

export function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function string(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}
