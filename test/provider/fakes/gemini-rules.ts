// What Gemini's generateContent refuses.
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import type { WireRequest } from "../wire/server.ts"
import { imageProblem } from "./image-rules.ts"
import { objects, refuse, textOf, tokensOf } from "./refusal.ts"
import { includesType, schemasIn } from "./schema-rules.ts"

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/
/** The subset of OpenAPI that function declarations take. */
const KEYWORDS = new Set(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum".split(
    " ",
  ),
)

export function geminiRules({ json: body, path }: WireRequest, { window }: { window: number }): void {
  for (const [at, group] of objects(body.tools).entries()) {
    for (const [index, tool] of objects(group.functionDeclarations).entries()) {
      declaration(tool, `tools[${at}].function_declarations[${index}]`)
    }
  }
  const contents = objects(body.contents)
  if (contents.length === 0) refuse("* GenerateContentRequest.contents: contents is not specified")
  for (const [index, content] of contents.entries()) turn(content, index, contents)
  if (/gemini-[3-9]/.test(path)) signatures(contents)
  const size = tokensOf({ contents: contents as Json[], tools: body.tools ?? null })
  if (size > window) {
    refuse(`The input token count (${size}) exceeds the maximum number of tokens allowed (${window}).`)
  }
}

function turn(content: JsonObject, index: number, all: JsonObject[]): void {
  if (content.role !== "user" && content.role !== "model") refuse("Please use a valid role: user, model.")
  const parts = objects(content.parts)
  if (parts.length === 0) refuse(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`)
  for (const part of parts) image(part)
  const [calls, results] = [count(content, "functionCall"), count(content, "functionResponse")]
  const [before, after] = [all[index - 1], all[index + 1]]
  if (calls > 0) {
    if (before?.role !== "user") {
      refuse(
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
      )
    }
    if (after !== undefined && count(after, "functionResponse") !== calls) unequal()
    if (after === undefined) unequal()
  }
  if (results > 0 && count(before, "functionCall") !== results) {
    if (count(before, "functionCall") > 0) unequal()
    refuse("Please ensure that function response turn comes immediately after a function call turn.")
  }
}

function unequal(): never {
  refuse(
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  )
}

function count(content: JsonObject | undefined, kind: string): number {
  return objects(content?.parts).filter((part) => isObject(part[kind])).length
}

function image({ inlineData }: JsonObject): void {
  if (!isObject(inlineData) || !textOf(inlineData.mimeType).startsWith("image/")) return
  if (imageProblem(textOf(inlineData.data), textOf(inlineData.mimeType)) === undefined) return
  refuse(
    "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
  )
}

/** In the turn that runs, the first call of each step comes back with its signature. */
function signatures(contents: JsonObject[]): void {
  const start = contents.findLastIndex(
    (content) => content.role === "user" && objects(content.parts).some((part) => typeof part.text === "string"),
  )
  for (const [index, content] of contents.entries()) {
    if (index <= start) continue
    const first = objects(content.parts).find((part) => isObject(part.functionCall))
    if (first !== undefined && textOf(first.thoughtSignature) === "") {
      refuse(
        "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.",
      )
    }
  }
}

function declaration(tool: JsonObject, where: string): void {
  if (!NAME.test(textOf(tool.name))) {
    refuse(`* GenerateContentRequest.${where}.name: Invalid function name. Must start with a letter or an underscore.`)
  }
  if (!isObject(tool.parameters)) return
  for (const { schema, path } of schemasIn(tool.parameters)) {
    const at = `${where}.parameters${path.map((name) => `.${name}`).join("")}`
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword)) {
        refuse(`Invalid JSON payload received. Unknown name "${keyword}" at '${at}': Cannot find field.`)
      }
    }
    if (includesType(schema, "array") && !isObject(schema.items)) {
      refuse(`* GenerateContentRequest.${at}.items: missing field.`)
    }
    if (Array.isArray(schema.enum) && !includesType(schema, "string")) {
      refuse(`* GenerateContentRequest.${at}.enum: only allowed for STRING type`)
    }
    const known = isObject(schema.properties) ? schema.properties : {}
    for (const name of Array.isArray(schema.required) ? schema.required : []) {
      if (known[textOf(name)] === undefined) {
        refuse(`* GenerateContentRequest.${at}.required[0]: property is not defined`)
      }
    }
  }
}
