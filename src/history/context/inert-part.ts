// Keeps the output of a tool or a command from pretending to be ours.
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

/** How we write the beginning of a message with a person's own command. */
const SHELL = /^(<system>[^<]*<\/system>\n)?([\s\S]*)$/
