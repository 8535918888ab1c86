// From a person's words to requests: splits a prompt into clauses, and matches each clause against a few patterns.
import { parseJson } from "../../model/json.ts"
import type { Request, TodoItem } from "./request.ts"

const VERB =
  "(?:create|write|make|change|replace|read|show|open|delete|remove|run|execute|list|find|search|grep|explore|delegate:|plan:|backtrack|call|think|count|say|help)"
const POLITE = "(?:please|now|first|next|finally|also|can you|could you)"
/** A new clause starts only before a verb, so that `create a.txt with salt, pepper and oil` is one. */
const SEPARATOR = new RegExp(
  `(?:\\n+|[;.,]\\s+(?:and\\s+)?(?:then\\s+)?|\\s+(?:and\\s+then|then|and)\\s+)(?=(?:${POLITE}[ ,]+)*${VERB}(?:\\s|$))`,
  "i",
)

/** The requests of one prompt, in order. A clause that it does not understand is kept as `unknown`. */
export function parseRequests(prompt: string): Request[] {
  const masked = maskQuotes(prompt)
  const requests = splitClauses(masked.text).flatMap((clause) => parseClause(clause, (text) => masked.restore(text)))
  return joinDelegates(requests)
}

function splitClauses(text: string): string[] {
  const clauses: string[] = []
  for (const segment of segments(text)) {
    let rest = segment
    while (rest.trim() !== "") {
      const at = TAKES_LINE.test(rest) ? null : SEPARATOR.exec(rest)
      clauses.push(rest.slice(0, at?.index ?? rest.length).trim())
      rest = at === null ? "" : rest.slice(at.index + at[0].length)
    }
  }
  return clauses.filter((clause) => clause !== "")
}

/** `delegate:`, `plan:` and `backtrack` take the rest of their line; all other lines are read together. */
function segments(text: string): string[] {
  const found: string[] = []
  let open = false
  for (const line of text.split("\n")) {
    const alone = TAKES_LINE.test(line)
    if (open && !alone) found.push(`${found.pop() ?? ""}\n${line}`)
    else found.push(line)
    open = !alone
  }
  return found
}

const TAKES_LINE = /^\s*(?:delegate:|plan:|backtrack\b|call\b)/i

type Restore = (text: string) => string
type Value = (text: string | undefined) => string
type Rule = [pattern: RegExp, make: (match: string[], value: Value) => Request[]]

/** Longer clauses are not matched against the patterns that look for several words anywhere. */
const LONG = 4_000

const RULES: Rule[] = [
  [
    /^(?:create|write|make)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+?):?\s+(?:with|containing)\s+(?:the\s+)?(?:(?:contents?|text)\b:?\s*)?:?\s*(.+)$/is,
    ([, path, content], value) => [{ do: "create", path: value(path), content: value(content) }],
  ],
  [/^delegate:\s*(.+)$/is, ([, task], value) => [{ do: "delegate", tasks: [value(task)] }]],
  [/^plan:\s*(.+)$/is, ([, items], value) => plan(value(items))],
  [
    /^backtrack (?:to )?(?:checkpoint )?(\d+)( and restore (?:the )?files)?\s*:\s*(.+)$/is,
    ([, id, restore, note], value) => [
      { do: "backtrack", checkpoint: Number(id), note: value(note), restore: restore !== undefined },
    ],
  ],
  [/^call (\S+)\s*(.*)$/is, ([, name, input], value) => [call(value(name), value(input))]],
  [
    /^write\s+(.+)\s+(?:to|into)\s+(\S+)$/is,
    ([, content, path], value) => [{ do: "create", path: name(value(path)), content: value(content) }],
  ],
  [
    /^(?:create|make)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:empty\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+)$/i,
    ([, path], value) => [{ do: "create", path: name(value(path)), content: "" }],
  ],
  [
    /^(?:change|replace)\s+(.+?)\s+(?:to|with|into)\s+(.*?)\s+in\s+(?:the\s+)?(?:file\s+)?(\S+)$/is,
    ([, old, fresh, path], value) => [{ do: "change", path: name(value(path)), old: value(old), new: value(fresh) }],
  ],
  [
    /^(?:delete|remove)\s+(?:the\s+)?(?:file\s+)?(\S+)$/i,
    ([, path], value) => [{ do: "delete", path: name(value(path)) }],
  ],
  [
    /^(?:run|execute)\s+(?:the\s+command\s+)?(.+)$/is,
    ([, command], value) => [{ do: "run", command: ended(value(command)) }],
  ],
  [
    /^explore(?:\s+(\d+)\s+files)?(?:\s+(?:in\s+)?(?!for\b)(\S+))?(?:\s+for\s+(.+))?$/is,
    ([, count, path, fact], value) => [explore(count, path && name(value(path)), fact && value(fact))],
  ],
  [
    /^(?:list|find)(?:\s+(?:the|all))?(?:\s+files)?(?:\s+(?:matching\s+)?(?!in\b)(\S+))?(?:\s+in\s+(\S+))?$/i,
    ([, pattern, path], value) => [
      { do: "find", pattern: pattern ? name(value(pattern)) : "**/*", ...(path && { path: name(value(path)) }) },
    ],
  ],
  [
    /^(?:search(?:\s+for)?|grep(?:\s+for)?)\s+(.+?)(?:\s+in\s+(\S+))?$/is,
    ([, pattern, path], value) => [{ do: "search", pattern: value(pattern), ...(path && { path: name(value(path)) }) }],
  ],
  [/^(?:read|show|open)\s+(?:me\s+)?(?:the\s+)?(?:files?\s+)?(.+)$/i, ([, paths], value) => read(paths ?? "", value)],
  [/^think(?:\s+about|:)?\s+(.+)$/is, ([, about], value) => [{ do: "think", about: ended(value(about)) }]],
  [/^count\s+to\s+(\d{1,6})\.?$/i, ([, to]) => [{ do: "count", to: Number(to) }]],
  [/^say:?\s+(.+)$/is, ([, text], value) => [{ do: "say", text: value(text) }]],
  [/^(?:\/?help|what can you do)\b[?!.]*$/i, () => [{ do: "help" }]],
  [/^(?:hi|hello|hey|thanks|thank you)\b[^\n]{0,20}$/i, () => [{ do: "greet" }]],
]

function parseClause(clause: string, restore: Restore): Request[] {
  const words = clause.replace(new RegExp(`^(?:${POLITE}[ ,]+)+`, "i"), "")
  const rules = words.length > LONG ? RULES.slice(0, 1) : RULES
  for (const [pattern, make] of rules) {
    const match = pattern.exec(words)
    const requests = match === null ? [] : make(match, (text) => unquote(restore(text ?? "")))
    if (requests.length > 0) return requests
  }
  return [{ do: "unknown", text: restore(clause) }]
}

/** A path or a word at the end of a sentence, without the full stop. */
function name(text: string): string {
  return text.replace(/(?<=[\w)])[.,;:!?]$/, "")
}

function ended(text: string): string {
  return text.replace(/(?<=[\w)"'`])\.$/, "")
}

/** One name, or several that look like files: "read the poem about cats" names none. */
function read(text: string, value: Value): Request[] {
  const words = text.trim().split(/\s*,\s*|\s+and\s+|\s+/)
  if (words.length > 1 && !words.every((word) => /[./\uE000]/.test(word))) return []
  return [{ do: "read", paths: words.map((word) => name(value(word))) }]
}

function explore(count: string | undefined, path: string | undefined, fact: string | undefined): Request {
  const about = path !== undefined && /^(?:the|this|project|files|code|codebase|repository|everything)$/i.test(path)
  return {
    do: "explore",
    files: Math.min(count === undefined ? 16 : Number(count), 400),
    ...(path && !about && { path }),
    ...(fact && { fact }),
  }
}

function call(tool: string, input: string): Request {
  const parsed = parseJson(input === "" ? "{}" : input)
  if (parsed.ok) return { do: "call", name: tool, input: parsed.value }
  return { do: "call", name: tool, input, invalid: parsed.problem }
}

/** Todos, and those among them that are requests: each is done in turn, and the list is kept up to date. */
function plan(text: string): Request[] {
  const masked = maskQuotes(text)
  const items = masked.text
    .split(/\s*(?:[,;\n]|\bthen\b|\band then\b)\s*/i)
    .map((item) =>
      masked
        .restore(item)
        .replace(/^(?:and|then)\s+/i, "")
        .trim(),
    )
    .filter((item) => item !== "")
  const steps = items.map((item) => parseRequests(item).filter((request) => request.do !== "unknown"))
  const requests: Request[] = []
  const finished = new Set<number>()
  const todos = (doing?: number): Request => ({
    do: "todos",
    todos: items.map((item, at) => todo(item, at, doing, finished)),
  })
  for (const [index, step] of steps.entries()) {
    if (step.length === 0) continue
    requests.push(todos(index), ...step)
    finished.add(index)
  }
  return [...requests, todos()]
}

function todo(text: string, at: number, doing: number | undefined, finished: ReadonlySet<number>): TodoItem {
  return { text, status: finished.has(at) ? "done" : at === doing ? "doing" : "pending" }
}

/** Consecutive tasks are delegated together. */
function joinDelegates(requests: readonly Request[]): Request[] {
  const joined: Request[] = []
  for (const request of requests) {
    const last = joined.at(-1)
    if (request.do === "delegate" && last?.do === "delegate") last.tasks.push(...request.tasks)
    else joined.push(request)
  }
  return joined
}

const QUOTED = /```[\s\S]*?```|`[^`\n]*`|"(?:[^"\\]|\\.)*"|(?<=^|[\s(])'[^'\n]*'(?=$|[\s,.;:)])/g
const PLACE = /\uE000(\d+)\uE001/g

interface Masked {
  /** The text, with a placeholder for each quoted piece. */
  text: string
  /** Puts the quoted pieces back, with their quotes. */
  restore(text: string): string
}

/** Quoted text in a request: what is in quotes is never taken for words of the request. */
function maskQuotes(text: string): Masked {
  const pieces: string[] = []
  const masked = text.replace(PLACE, "").replace(QUOTED, (piece) => `\uE000${pieces.push(piece) - 1}\uE001`)
  return { text: masked, restore: (part) => part.replace(PLACE, (_, index: string) => pieces[Number(index)] ?? "") }
}

/** A value without the quotes around it. Within double quotes, `\n` and `\t` are escapes. */
function unquote(text: string): string {
  const value = text.trim()
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(value)
  if (fenced !== null) return `${fenced[1] ?? ""}\n`
  if (/^`[^`]*`$/.test(value) || /^'[^']*'$/.test(value)) return value.slice(1, -1)
  if (!/^"(?:[^"\\]|\\.)*"$/.test(value)) return value
  return value.slice(1, -1).replace(/\\([\s\S])/g, (_, char: string) => ESCAPES.get(char) ?? char)
}

const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
])
