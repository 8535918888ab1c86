// Unwraps what a person typed, or what their own command printed, where the file has it inside the program's tags.
import type { Origin } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/record.ts"
import { isAdded } from "./classify.ts"

/** Undefined if the text is what to show. */
export function displayOf(content: readonly Part[], origin: Origin): string | undefined {
  const text = plainText(content)
  if (origin === "command") return commandIn(text) ?? outputIn(text, "local-command")
  if (origin === "shell") return within(text, "bash-input", (command) => `!${command}`) ?? outputIn(text, "bash")
  if (origin !== "prompt" || !content.some((part) => part.type === "text" && isAdded(part.text))) return undefined
  return plainText(content.filter((part) => part.type !== "text" || !isAdded(part.text)))
}

function commandIn(text: string): string | undefined {
  const rest = within(text, "command-args", (args) => args) ?? ""
  return within(text, "command-name", (name) => [name, ...(rest === "" ? [] : [rest])].join(" "))
}

function outputIn(text: string, tag: string): string | undefined {
  const outputs = [`${tag}-stdout`, `${tag}-stderr`].map((each) => within(text, each, (output) => output))
  const told = outputs.filter((output) => output !== undefined)
  return told.length === 0 ? undefined : told.filter((output) => output !== "").join("\n")
}

/** Plain searching, because a regular expression with a lazy middle can be made very slow by a hostile text. */
function within(text: string, tag: string, show: (inner: string) => string): string | undefined {
  const start = text.indexOf(`<${tag}>`)
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start)
  return end === -1 ? undefined : show(text.slice(start + tag.length + 2, end).trim())
}
