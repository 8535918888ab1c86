// What vendors say against the schemas of tools.
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import { objects } from "./refusal.ts"

/** Every schema within a schema, with the names that lead to it. */
export function* schemasIn(schema: JsonObject, path: string[] = []): Generator<{ schema: JsonObject; path: string[] }> {
  yield { schema, path }
  for (const [name, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (isObject(inner)) yield* schemasIn(inner, [...path, "properties", name])
  }
  if (isObject(schema.items)) yield* schemasIn(schema.items, [...path, "items"])
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    for (const inner of objects(schema[keyword])) yield* schemasIn(inner, [...path, keyword])
  }
}

export function includesType(schema: JsonObject, type: string): boolean {
  const types: Json[] = Array.isArray(schema.type) ? schema.type : [schema.type ?? null]
  return types.includes(type)
}
