// What OpenAI's Responses API refuses.
import { isObject, type Json } from "../../../src/model/json.ts"
import type { WireRequest } from "../wire/server.ts"
import { functions, imageUrl } from "./chat-rules.ts"
import { objects, refuse, textOf, tokensOf } from "./refusal.ts"

export function responsesRules({ json: body }: WireRequest, { window }: { window: number }): void {
  functions(objects(body.tools).map((tool, index) => ({ tool, where: `tools[${index}]` })))
  const items = objects(body.input)
  if (items.length === 0) refuse("Missing required parameter: 'input'.")
  const calls = new Map<string, "open" | "answered">()
  for (const [index, item] of items.entries()) {
    const id = textOf(item.call_id)
    if (item.type === "function_call") {
      if (id.length > 64) refuse(`Invalid 'input[${index}].call_id': string too long.`)
      if (typeof item.arguments !== "string") refuse(`Invalid type for 'input[${index}].arguments'.`)
      calls.set(id, "open")
    } else if (item.type === "function_call_output") {
      if (!calls.has(id)) refuse(`No tool call found for function call output with call_id ${id}.`)
      for (const part of objects(item.output)) contentPart(part.type, part.text, part.image_url)
      calls.set(id, "answered")
    } else if (item.type === "reasoning") {
      if (body.store === false && textOf(item.encrypted_content) === "") {
        refuse(`Item '${textOf(item.id)}' not found. Items are not persisted when \`store\` is set to false.`, 404)
      }
      const next = items[index + 1]
      if (next === undefined || next.role === "user" || next.type === "function_call_output") {
        refuse(`Item '${textOf(item.id)}' of type 'reasoning' was provided without its required following item.`)
      }
    } else if (item.type === "item_reference") {
      if (body.store === false) refuse(`Item with id '${textOf(item.id)}' not found.`, 404)
    } else if (typeof item.role !== "string") {
      refuse(`Invalid value: '${textOf(item.type)}' for 'input[${index}].type'.`)
    } else {
      for (const part of objects(item.content)) contentPart(part.type, part.text, part.image_url)
    }
  }
  for (const [id, state] of calls) if (state === "open") refuse(`No tool output found for function call ${id}.`)
  if (isObject(body.reasoning) && textOf(body.model).startsWith("gpt-4")) {
    refuse("Unsupported parameter: 'reasoning.effort' is not supported with this model.")
  }
  const size = tokensOf({ input: items as Json[], tools: body.tools ?? null })
  if (size > window) {
    refuse("Your input exceeds the context window of this model. Please adjust your input and try again.", 400, {
      code: "context_length_exceeded",
    })
  }
}

function contentPart(type: Json | undefined, text: Json | undefined, image: Json | undefined): void {
  if (type === "input_image") imageUrl(image)
  if ((type === "input_text" || type === "output_text") && textOf(text) === "") refuse("Invalid 'input': empty text.")
}
