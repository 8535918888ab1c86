// Schemas of all kinds, as MCP servers offer them.
import type { JsonObject } from "../../../src/model/json.ts"

export const SCHEMAS: Record<string, JsonObject> = {
  plain: { type: "object", properties: { a: { type: "number" } }, additionalProperties: false },
  nothing: { type: "object" },
  named: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", title: "Named", properties: {} },
  nullable: { type: "object", properties: { a: { type: ["string", "null"], default: null } }, required: ["a"] },
  numbers: { type: "object", properties: { level: { type: "integer", enum: [1, 2, 3] }, exactly: { const: 4 } } },
  referring: {
    type: "object",
    properties: { at: { $ref: "#/$defs/point" }, all: { type: "array", items: { $ref: "#/$defs/point" } } },
    $defs: { point: { type: "object", properties: { x: { type: "number", exclusiveMinimum: 0 } } } },
  },
  choosing: { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: {}, b: {} } },
  listing: { type: "object", properties: { all: { type: "array" } } },
  pairing: { type: "object", properties: { pair: { type: "array", prefixItems: [{ type: "string" }] } } },
  mapping: { type: "object", properties: { map: { type: "object", patternProperties: { "^x": { type: "string" } } } } },
  odd: { type: "object", properties: { "a b/c": { type: "string" } }, required: ["nowhere"] },
}
