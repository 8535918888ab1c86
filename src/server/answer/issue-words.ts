// What is wrong with a request, in plain words: "text: at most 1000 characters".
import type { z } from "zod"
import { unreachable } from "../../model/unreachable.ts"

type Issue = z.core.$ZodIssue
type Sized = Pick<z.core.$ZodIssueTooBig, "origin" | "inclusive" | "exact">

/** In characters. A request may have many unknown keys. */
const LONGEST_TEXT = 1000
const MOST_NAMES = 5
const NOT_POSSIBLE = "this value is not possible here"

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
}

const UNITS: Readonly<Record<string, readonly [one: string, more: string]>> = {
  string: ["character", "characters"],
  array: ["element", "elements"],
}

/**
 * Contract: the issues come from a check with `reportInput`, which distinguishes what is missing from what is wrong.
 */
export function issueText(issues: readonly Issue[]): string {
  const text = issues
    .map((issue) => [issue.path.join("."), issueWords(issue)].filter((each) => each !== "").join(": "))
    .join("; ")
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
}

function issueWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return needed(
        TYPES[issue.expected] ?? "another kind of value",
        issue.input === undefined && issue.path.length > 0,
      )
    case "invalid_value":
      return needed(oneOf(issue.values), issue.input === undefined)
    case "invalid_union":
      return unionWords(issue)
    case "too_big":
      return `${bound(issue, "at most", "less than")} ${amount(issue.maximum, issue.origin)}`
    case "too_small":
      if (UNITS[issue.origin] !== undefined && Number(issue.minimum) === 1) return "it must not be empty"
      return `${bound(issue, "at least", "more than")} ${amount(issue.minimum, issue.origin)}`
    case "unrecognized_keys":
      return `there is no ${names(issue.keys)} here`
    case "invalid_format":
      // A schema may have its own message; the library's name the pattern.
      return issue.message.startsWith("Invalid ") ? "it does not have the expected form" : issue.message
    case "custom":
      return issue.message
    case "not_multiple_of":
    case "invalid_key":
    case "invalid_element":
      return NOT_POSSIBLE
    default:
      return unreachable(issue)
  }
}

function needed(what: string, missing: boolean): string {
  return missing ? `it is missing; ${what} is needed` : `${what} is needed`
}

function unionWords(issue: Extract<Issue, { code: "invalid_union" }>): string {
  if ("options" in issue && issue.options !== undefined) return needed(oneOf(issue.options), false)
  const kinds = issue.errors.map((each) => (each[0] === undefined ? "" : issueWords(each[0])))
  return [...new Set(kinds)].filter((each) => each !== "").join(", or ") || NOT_POSSIBLE
}

function bound({ inclusive, exact }: Sized, within: string, strictly: string): string {
  if (exact === true) return "exactly"
  return inclusive === false ? strictly : within
}

function amount(count: number | bigint, origin: string): string {
  const [one, more] = UNITS[origin] ?? ["", ""]
  return `${count} ${Number(count) === 1 ? one : more}`.trim()
}

function oneOf(values: readonly unknown[]): string {
  const all = values.map((value) => JSON.stringify(value) ?? String(value))
  return all.length > 1 ? `one of ${all.join(", ")}` : all.join("")
}

function names(keys: readonly string[]): string {
  const shown = keys.slice(0, MOST_NAMES).map((key) => `"${key}"`)
  const rest = keys.length - shown.length
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ")
}
