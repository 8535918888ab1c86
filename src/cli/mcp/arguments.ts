// Checks the arguments of a call: a model may send anything.
import { isObject } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { type Property, type ServerTool, ToolProblem } from "./port.ts"

/** Contract: throws a ToolProblem; the result fits the tool's properties, without the omitted ones. */
export function checkedArguments(tool: ServerTool, given: unknown): Record<string, unknown> {
  const known = Object.keys(tool.properties)
  const takes = `${tool.name} takes: ${known.join(", ")}.`
  if (given === undefined || given === null) return checkedArguments(tool, {})
  if (!isObject(given)) throw new ToolProblem("The arguments are not an object.", takes)
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(tool.properties, name) ? tool.properties[name] : undefined
    if (property === undefined) throw new ToolProblem(`There is no argument "${shown(name)}".`, takes)
    if (value === null || value === undefined) continue
    if (!fits(property, value)) throw new ToolProblem(`"${name}" must be ${WORDS[property.type]}.`, takes)
    found[name] = value
  }
  for (const name of tool.required ?? []) {
    const value = found[name]
    if (value === undefined || (typeof value === "string" && value.trim() === ""))
      throw new ToolProblem(`"${name}" is missing.`, takes)
  }
  return found
}

const WORDS = { string: "a text", boolean: "true or false", array: "a list of strings" }

function fits({ type }: Property, value: unknown): boolean {
  if (type !== "array") return typeof value === type
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}

function shown(name: string): string {
  return clip(sanitiseLine(name), 60)
}
