// Glob: files by their paths.
import { stat } from "node:fs/promises"
import { relative } from "node:path"
import { z } from "zod"
import { globToRegExp } from "../files/glob.ts"
import { walk } from "../files/walk-files.ts"
import { absolute, failure, isMissing, shown, type ToolContext, type ToolResult, toolText } from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"

const MOST_PATHS = 1000

const schema = z.object({
  pattern: z.string().min(1).describe("The pattern of the path"),
  path: z.string().min(1).optional().describe("The folder to search"),
})

export const globTool = defineTool({
  name: "Glob",
  description: toolText(import.meta.url, "glob"),
  schema,
  effect: "reads",
  paths: (input) => [input.path ?? "."],
  timeout: 60_000,
  run: find,
})

async function find(input: z.infer<typeof schema>, context: ToolContext): Promise<ToolResult> {
  const { root, signal } = context
  const folder = absolute(root, input.path ?? ".")
  const problem = await folderProblem(folder, shown(root, folder))
  if (problem !== undefined) return failure(problem)
  const matches = pathMatcher(input.pattern)
  const found: string[] = []
  for await (const path of walk(folder, { root: root.folder, signal })) {
    if (!matches(relative(folder, path)) || context.hidden(path)) continue
    if (found.length === MOST_PATHS) {
      return { output: `${found.join("\n")}\n(There are more than ${MOST_PATHS}. Narrow the pattern.)` }
    }
    found.push(shown(root, path))
  }
  return { output: found.length === 0 ? `No file matches ${input.pattern}.` : found.join("\n") }
}

/** A pattern without a slash matches the file's name alone. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const plain = pattern.replace(/^\.\//, "")
  const match = globToRegExp(plain.includes("/") ? plain : `**/${plain}`)
  return (path) => match.test(path)
}

export async function folderProblem(path: string, name: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : `${name} is not a folder.`
  } catch (error) {
    if (isMissing(error)) return `There is no folder ${name}.`
    throw error
  }
}
