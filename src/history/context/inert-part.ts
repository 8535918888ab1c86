// The output of a tool or a command cannot pretend to come from us.
import type { Origin } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/part.ts"
import { inert } from "../../model/text/inert.ts"

export function inertPart(part: Part, origin: Origin): Part {
  if (part.type === "tool-result") {
    return typeof part.output === "string" && part.output.includes("<") ? { ...part, output: inert(part.output) } : part
  }
  if (origin !== "shell" || part.type !== "text" || part.text === undefined) return part
  const [, mark = "", rest = ""] = SHELL.exec(part.text) ?? ["", "", part.text]
  return { ...part, text: mark + inert(rest) }
}

/** How a command of the person begins, as we have written it. */
const SHELL = /^(<system>[^<]*<\/system>\n)?([\s\S]*)$/
