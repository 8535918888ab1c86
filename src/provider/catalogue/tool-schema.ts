// Whether a tool can be offered: because of one schema that a vendor does not accept, it refuses the whole request.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { ToolSpec } from "../port/port.ts"
import type { ProviderKind } from "./presets.ts"

const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/

/** Why this vendor would refuse the tool; undefined if there is no known reason. */
export function toolProblem({ name, input }: ToolSpec, kind: ProviderKind): string | undefined {
  if (!NAME.test(name)) return "its name has characters that are not allowed, or is too long"
  if (input.type !== "object") return 'its schema is not of the type "object"'
  const choice = ["oneOf", "anyOf", "allOf"].find((keyword) => input[keyword] !== undefined)
  if (choice !== undefined && kind !== "google") return `its schema has "${choice}" at the top`
  if (kind === "anthropic") {
    const odd = Object.keys(isObject(input.properties) ? input.properties : {}).find((key) => !PROPERTY.test(key))
    return odd === undefined ? undefined : `its schema has a property called ${JSON.stringify(odd)}`
  }
  const list = untypedList(input, [])
  return list === undefined ? undefined : `its schema does not say what the list "${list}" holds`
}

/** OpenAI and Gemini require every list to declare its items. */
function untypedList(schema: JsonObject, path: string[]): string | undefined {
  const isList = schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"))
  if (isList && !isObject(schema.items) && schema.prefixItems === undefined) return path.join(".")
  for (const [name, inner] of inners(schema)) {
    const found = isObject(inner) ? untypedList(inner, name === "" ? path : [...path, name]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function inners(schema: JsonObject): [string, Json][] {
  const choices = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => {
    const list = schema[keyword]
    return Array.isArray(list) ? list : []
  })
  const items = schema.items === undefined ? [] : [schema.items]
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  return [...properties, ...[...items, ...choices].map((inner): [string, Json] => ["", inner])]
}
