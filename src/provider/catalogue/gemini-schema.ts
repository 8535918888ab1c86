// A tool's schema for Gemini, which knows only part of JSON Schema and refuses the whole request for the rest. A schema
// that is a little too wide is better than no tool, because the tool checks its input anyway.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"

export function geminiSchema(schema: JsonObject): JsonObject {
  // At the top level, a choice only says which properties go together.
  const { oneOf: _, anyOf: __, allOf: ___, ...top } = schema
  return simplified(top)
}

function simplified(schema: JsonObject): JsonObject {
  const { oneOf, allOf, prefixItems, ...rest } = schema
  let made: JsonObject = Object.assign({}, ...objects(allOf), rest)
  if (made.anyOf === undefined && oneOf !== undefined) made.anyOf = oneOf
  if (made.items === undefined && Array.isArray(prefixItems)) made.items = oneAmong(objects(prefixItems))
  made = withWords(made)
  for (const [key, value] of Object.entries(made)) made[key] = inner(key, value)
  const known = isObject(made.properties) ? made.properties : {}
  if (Array.isArray(made.required))
    made.required = made.required.filter((name) => typeof name === "string" && known[name] !== undefined)
  return made
}

/** Gemini lists values only for strings: others go into the description. */
function withWords({ enum: values, const: only, ...schema }: JsonObject): JsonObject {
  const all = Array.isArray(values) ? values : only === undefined ? undefined : [only]
  if (all === undefined) return schema
  if (all.every((value) => typeof value === "string")) return { ...schema, type: "string", enum: all }
  const words = `One of: ${all.map((value) => JSON.stringify(value)).join(", ")}.`
  const type = schema.type ?? typeof all[0]
  return { ...schema, type, description: described(schema.description, words) }
}

function described(before: Json | undefined, words: string): string {
  return typeof before === "string" && before !== "" ? `${before} ${words}` : words
}

function inner(key: string, value: Json): Json {
  if (key === "properties" || key === "$defs" || key === "definitions") {
    return isObject(value) ? mapped(value) : value
  }
  if (key === "items") return isObject(value) ? simplified(value) : value
  return key === "anyOf" ? objects(value).map(simplified) : value
}

function mapped(schemas: JsonObject): JsonObject {
  const made = Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? simplified(each) : each])
  return Object.fromEntries(made) as JsonObject
}

function oneAmong(schemas: JsonObject[]): JsonObject {
  return schemas.length === 1 ? (schemas[0] as JsonObject) : { anyOf: schemas }
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
