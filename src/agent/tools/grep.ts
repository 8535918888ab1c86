// Grep: lines that match. Ripgrep, if installed, only says which files are worth reading: what is printed is always
// decided here, so the result is the same with it and without it.
import { readFile, stat } from "node:fs/promises"
import { relative } from "node:path"
import { createContext, Script } from "node:vm"
import { z } from "zod"
import { errno } from "../../model/failure/retcon-error.ts"
import type { Parsed } from "../../model/json.ts"
import { contentKind } from "../files/content.ts"
import { filesByRipgrep } from "../files/ripgrep.ts"
import { walk } from "../files/walk-files.ts"
import { absolute, failure, isMissing, shown, type ToolContext, type ToolResult, toolText } from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"
import { pathMatcher } from "./glob.ts"

const MOST_LINES = 300
const LONGEST_LINE = 400
const LARGEST_FILE = 20_000_000
/** Characters that are matched at once. */
const BATCH = 500_000

const schema = z.object({
  pattern: z.string().min(1).describe("The regular expression"),
  path: z.string().min(1).optional().describe("The folder or file to search"),
  glob: z.string().min(1).optional().describe("Only files whose path matches"),
})

type GrepInput = z.infer<typeof schema>

export const grepTool = defineTool({
  name: "Grep",
  description: toolText(import.meta.url, "grep"),
  schema,
  effect: "reads",
  paths: (input) => [input.path ?? "."],
  timeout: 120_000,
  run: search,
})

async function search(input: GrepInput, context: ToolContext): Promise<ToolResult> {
  const start = absolute(context.root, input.path ?? ".")
  const isFolder = await isDirectory(start)
  if (isFolder === undefined) return failure(`There is no ${shown(context.root, start)}.`)
  const matcher = createMatcher(input.pattern)
  if (!matcher.ok) return failure(`Not a regular expression: ${matcher.problem}`)
  const found: Found = { lines: [], tooLarge: 0 }
  const files = isFolder ? filesIn(start, input, context) : [start].filter((file) => !context.hidden(file))
  const problem = await searchFiles(files, matcher.value, found, context)
  if (problem !== undefined) return failure(problem)
  const notes = [
    ...(found.lines.length > MOST_LINES ? [`(More than ${MOST_LINES} lines match. Narrow the pattern.)`] : []),
    ...(found.tooLarge > 0 ? [`(${found.tooLarge} files over ${LARGEST_FILE / 1_000_000} MB were not searched.)`] : []),
  ]
  const lines = found.lines.slice(0, MOST_LINES)
  return { output: [...(lines.length === 0 ? [`No line matches ${input.pattern}.`] : lines), ...notes].join("\n") }
}

async function* filesIn(start: string, input: GrepInput, context: ToolContext): AsyncGenerator<string> {
  const { folder: root } = context.root
  const { signal, env } = context
  const fits = input.glob === undefined ? () => true : pathMatcher(input.glob)
  const quick = await filesByRipgrep({ folder: start, root, pattern: input.pattern, env, signal })
  for await (const path of quick ?? walk(start, { root, signal })) {
    if (fits(relative(start, path)) && !context.hidden(path)) yield path
  }
}

interface Found {
  lines: string[]
  tooLarge: number
}

/** Returns the problem if the pattern takes too long. */
async function searchFiles(
  files: AsyncIterable<string> | Iterable<string>,
  matcher: Matcher,
  found: Found,
  context: ToolContext,
): Promise<string | undefined> {
  let batch: { path: string; text: string }[] = []
  let size = 0
  const flush = () => {
    const matches = matcher(batch.map(({ text }) => text))
    if (!matches.ok) return matches.problem
    for (const [i, { path }] of batch.entries()) {
      for (const match of matches.value[i] ?? []) {
        found.lines.push(`${shown(context.root, path)}:${match.line}: ${cut(match.text)}`)
      }
    }
    batch = []
    size = 0
    return undefined
  }
  for await (const path of files) {
    const text = await textOf(path, found)
    if (text === undefined) continue
    batch.push({ path, text })
    size += text.length
    if (size < BATCH) continue
    const problem = flush()
    if (problem !== undefined || found.lines.length > MOST_LINES) return problem
  }
  return flush()
}

async function textOf(path: string, found: Found): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > LARGEST_FILE) {
      found.tooLarge++
      return undefined
    }
    const bytes = await readFile(path)
    return contentKind(bytes.subarray(0, 8192)).kind === "text" ? bytes.toString("utf8") : undefined
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES") return undefined
    throw error
  }
}

function cut(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)} [cut]`
}

async function isDirectory(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

interface Match {
  line: number
  text: string
}

/** The matches of each text, or why there are none. */
type Matcher = (texts: readonly string[]) => Parsed<Match[][]>

const TIME_LIMIT = 2000
const MOST_MATCHES = 400

const SCRIPT = new Script(`
  (() => {
    const expression = new RegExp(source, flags)
    return texts.map((text) => {
      const found = []
      const lines = text.split(/\\r?\\n/)
      // What follows the last line break is a line only if it is not empty.
      if (lines.at(-1) === "") lines.pop()
      for (let i = 0; i < lines.length && found.length < ${MOST_MATCHES}; i++) {
        if (expression.test(lines[i])) found.push({ line: i + 1, text: lines[i] })
      }
      return found
    })
  })()
`)

/** Lines that match a model's regular expression. It runs where a timer can stop it: some never end. */
function createMatcher(pattern: string): Parsed<Matcher> {
  const flags = pattern.startsWith("(?i)") ? "i" : ""
  const source = flags === "i" ? pattern.slice(4) : pattern
  try {
    new RegExp(source, flags).test("")
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, problem: error.message }
    throw error
  }
  const sandbox = createContext({ source, flags, texts: [] as readonly string[] })
  const matcher: Matcher = (texts) => {
    sandbox.texts = texts
    try {
      return { ok: true, value: SCRIPT.runInContext(sandbox, { timeout: TIME_LIMIT }) as Match[][] }
    } catch (error) {
      if (errno(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
      return { ok: false, problem: "The pattern takes too long to match. Make it simpler." }
    }
  }
  return { ok: true, value: matcher }
}
