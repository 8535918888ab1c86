// What a model would be sent, in full: roles and parts, without control characters. --json has the exact bytes.
import type { ContextMessage } from "../../history/context/message.ts"
import { CUT_WORDS } from "../../model/record/entry-text.ts"
import type { Part } from "../../model/record/record.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import { attachment } from "./message-lines.ts"
import type { Style } from "./style.ts"

export function* contextLines(messages: Iterable<ContextMessage>, width: number, style: Style): Generator<string> {
  for (const { role, content } of messages) {
    yield style.strong(`── ${role} ${"─".repeat(Math.max(0, width - role.length - 4))}`)
    for (const part of content) yield* partLines(part, style)
    yield ""
  }
}

/** Every part of an entry, in full. */
export function* partLines(part: Part, style: Style): Generator<string> {
  const label = (text: string) => style.quiet(`[${text}]`)
  switch (part.type) {
    case "text":
      yield* sanitise(part.text).split("\n")
      return
    case "reasoning":
      yield label("reasoning")
      yield* sanitise(part.text).split("\n")
      return
    case "tool-call":
      yield `${label("tool-call")} ${sanitiseLine(part.name)} ${sanitise(JSON.stringify(part.input))}`
      return
    case "tool-result": {
      const name = part.name === undefined ? "" : ` ${sanitiseLine(part.name)}`
      yield `${label(part.error === true ? "tool-result, error" : "tool-result")}${name}`
      yield* sanitise(part.output).split("\n")
      if (part.cut === true) yield style.quiet(`(${CUT_WORDS})`)
      for (const media of part.media ?? []) yield* mediaLines(media, style)
      return
    }
    case "image":
    case "file":
      yield* mediaLines(part, style)
      return
    case "unknown":
      yield `${label("unknown part")} ${sanitise(JSON.stringify(part.raw))}`
      return
    default:
      unreachable(part)
  }
}

function* mediaLines(part: Part, style: Style): Generator<string> {
  if (part.type === "image" || part.type === "file") yield style.quiet(`[${attachment(part)}]`)
}
