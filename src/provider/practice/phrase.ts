// A request in words that parse to the same request again, on one line.
import { unreachable } from "../../model/unreachable.ts"
import type { Request } from "./request.ts"

export function phraseOf(request: Request): string {
  switch (request.do) {
    case "create":
      return `create ${word(request.path)} with ${quoted(request.content)}`
    case "change":
      return `change ${quoted(request.old)} to ${quoted(request.new)} in ${word(request.path)}`
    case "read":
      return `read ${request.paths.map(word).join(", ")}`
    case "delete":
      return `delete ${word(request.path)}`
    case "run":
      return `run ${quoted(request.command)}`
    case "find":
      return `find ${word(request.pattern)}${within(request.path)}`
    case "search":
      return `search for ${quoted(request.pattern)}${within(request.path)}`
    case "explore":
      return `explore ${request.files} files${within(request.path)}${request.fact ? ` for ${quoted(request.fact)}` : ""}`
    case "delegate":
      return `delegate: ${request.tasks.join(" / ").replaceAll("\n", " ")}`
    case "todos":
      return `plan: ${request.todos.map((todo) => todo.text).join(", ")}`
    case "backtrack":
      return `backtrack to ${request.checkpoint}: ${request.note.replaceAll("\n", " ")}`
    case "call":
      return `call ${request.name} ${typeof request.input === "string" ? request.input : JSON.stringify(request.input)}`
    case "think":
      return `think about ${quoted(request.about)}`
    case "count":
      return `count to ${request.to}`
    case "say":
      return `say ${quoted(request.text)}`
    case "greet":
      return "hello"
    case "help":
      return "help"
    case "unknown":
      return request.text.replaceAll("\n", " ")
    default:
      return unreachable(request)
  }
}

function word(text: string): string {
  return /^[\w./*@-]+$/.test(text) ? text : quoted(text)
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`
}

function within(path: string | undefined): string {
  return path === undefined ? "" : ` in ${word(path)}`
}
