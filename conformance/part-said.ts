// A part of a message from `retcon show --context` as something said. Tags that retcon makes harmless for its own
// model, such as `<system>` in a result, are shown as they were written.
import type { Part } from "../src/model/record/record.ts"
import { asWritten } from "../src/model/text/inert.ts"
import { call, image, type Said } from "./said.ts"

export function partSaid(role: string, part: Part): Said[] {
  const by = role === "assistant" ? "assistant" : role === "system" ? "instructions" : "user"
  switch (part.type) {
    case "text":
      return [{ by, text: asWritten(part.text) }]
    case "tool-call":
      return [call(part.name, part.input)]
    case "tool-result":
      return [
        { by: "result", text: asWritten(part.output) },
        ...(part.media ?? []).flatMap((each) => media("result", each)),
      ]
    case "reasoning":
      return []
    case "image":
    case "file":
    case "unknown":
      return media(by, part)
  }
}

function media(by: Said["by"], part: Part): Said[] {
  if (part.type === "image" || part.type === "file") return [image(by, part.mediaType, part.data)]
  return [{ by, text: JSON.stringify(part) }]
}
