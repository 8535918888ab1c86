// The Claude Code permission rule that allows one call and no other.
import { isObject, type Json } from "../../model/json.ts"

const EDITS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])

/** Undefined if no rule can say exactly this. */
export function ruleFor(tool: string, input: Json): string | undefined {
  const fields = isObject(input) ? input : {}
  if (tool === "Bash") return commandRule(fields.command)
  if (EDITS.has(tool)) return pathRule("Edit", fields.file_path ?? fields.notebook_path)
  if (tool === "Read") return pathRule("Read", fields.file_path)
  if (tool === "WebFetch") return domainRule(fields.url)
  return /^[A-Za-z][\w-]*$/.test(tool) ? tool : undefined
}

/** A command with `*` or a line break has no rule: `*` is a wildcard, and a rule is one line. */
function commandRule(command: Json | undefined): string | undefined {
  return typeof command === "string" && /^[^*\n\r]+$/.test(command) ? `Bash(${command})` : undefined
}

/** Two slashes start an absolute path; the rest is read as in a `.gitignore`. */
function pathRule(name: string, path: Json | undefined): string | undefined {
  return typeof path === "string" && /^\/[^*?[\]\\!#\n\r]+$/.test(path) ? `${name}(/${path})` : undefined
}

function domainRule(url: Json | undefined): string | undefined {
  const host = typeof url === "string" && URL.canParse(url) ? new URL(url).hostname : ""
  return host === "" ? undefined : `WebFetch(domain:${host})`
}
