// OpenAI's chat completions, as compatible servers speak them too.
import { isObject, type JsonObject } from "../../src/model/json.ts"
import { chatCompletion, chatReply } from "../../test/provider/wire/openai.ts"
import { call, type Said } from "../said.ts"
import { imageUrl, list, parsed, string } from "./fields.ts"
import type { Protocol } from "./protocol.ts"

export const chat: Protocol = {
  asks: ({ path }) => /\/chat\/completions(\?|$)/.test(path),
  said: ({ json }) => list(json.messages).flatMap((message, index) => saidIn(message, index === 0)),
  hasTools: ({ json }) => list(json.tools).length > 0,
  reply: (answer, _id, { json }) =>
    json.stream === true ? chatReply(answer) : { status: 200, body: chatCompletion(answer) },
  elsewhere: ({ path }) =>
    path.endsWith("/models")
      ? { status: 200, body: { object: "list", data: [{ id: "fake-model", object: "model", owned_by: "fake" }] } }
      : { status: 404, body: { error: { message: "This model answers chat completions only." } } },
}

function saidIn(message: JsonObject, isFirst: boolean): Said[] {
  const role = string(message.role)
  const by =
    role === "assistant"
      ? "assistant"
      : role === "system" || role === "developer"
        ? isFirst
          ? "instructions"
          : "system"
        : "user"
  const content =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message.content)
  if (role === "tool") return [{ by: "result", text: content.map(({ text }) => string(text)).join("\n") }]
  const said = content.map(
    (part: JsonObject): Said =>
      isObject(part.image_url) ? imageUrl(by, string(part.image_url.url)) : { by, text: string(part.text) },
  )
  const calls = list(message.tool_calls).map(({ function: called }) => {
    const { name, arguments: input } = isObject(called) ? called : {}
    return call(string(name), parsed(input))
  })
  return [...said, ...calls]
}
