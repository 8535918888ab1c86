// The one place where JSON text becomes a value.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; problem: string }

export function parseJson(text: string): Parsed<Json> {
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : "not JSON" }
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
