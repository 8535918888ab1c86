// Edit: exact replacement in a file. All decisions are in replacement.ts; the disk and the messages are here.
import { z } from "zod"
import { replaceFile } from "../files/replace-file.ts"
import { readText } from "../files/text-file.ts"
import { unifiedDiff } from "../port/diff.ts"
import { failure, type Preview, type ToolContext, type ToolResult } from "../port/tool.ts"
import { toolText } from "../port/tool-text.ts"
import { absolute, shown, type WorkRoot } from "../port/work-root.ts"
import { defineTool } from "./define-tool.ts"
import { changedMeanwhile, FILE_WRITER } from "./file-writer.ts"
import { notFound } from "./read.ts"
import { replaceIn } from "./replacement.ts"

const schema = z.object({
  path: z.string().min(1).describe("The file"),
  old: z.string().describe("The text to replace, exactly as it is in the file"),
  new: z.string().describe("What to put there"),
  all: z.boolean().optional().describe("Replace every occurrence"),
})

type EditInput = z.infer<typeof schema>

export const editTool = defineTool({
  name: "Edit",
  description: toolText(import.meta.url, "edit"),
  schema,
  ...FILE_WRITER,
  preview,
  run,
})

type Planned = { problem: string } | { before: string; after: string; count: number; lines: number[]; hash: string }

async function plan(input: EditInput, root: WorkRoot): Promise<Planned> {
  const path = absolute(root, input.path)
  const name = shown(root, path)
  const file = await readText(path)
  if (file.kind === "missing") return { problem: await notFound(root, path) }
  if (file.kind === "directory") return { problem: `${name} is a directory.` }
  if (file.kind === "other") return { problem: `${name} is not a regular file.` }
  if (file.kind === "binary") return { problem: `${name} is not UTF-8 text, so it cannot be edited exactly. Use Bash.` }
  const replaced = replaceIn(file.text, input)
  if (!replaced.ok) return { problem: `${name}: ${replaced.problem}` }
  return { before: file.text, hash: file.hash, ...replaced.value }
}

async function preview(input: EditInput, root: WorkRoot): Promise<Preview> {
  const path = absolute(root, input.path)
  const name = shown(root, path)
  const planned = await plan(input, root)
  const title = `Edit ${name}`
  if ("problem" in planned) return { action: { kind: "write", path, diff: "" }, title, problem: planned.problem }
  const diff = unifiedDiff(name, planned.before, planned.after)
  return { action: { kind: "write", path, diff }, title, basis: planned.hash }
}

async function run(input: EditInput, context: ToolContext): Promise<ToolResult> {
  const path = absolute(context.root, input.path)
  const name = shown(context.root, path)
  const planned = await plan(input, context.root)
  if ("problem" in planned) return failure(planned.problem)
  if (context.basis !== undefined && context.basis !== planned.hash) return failure(changedMeanwhile(name))
  await replaceFile(path, planned.after)
  const where = planned.count === 1 ? `line ${planned.lines[0]}` : `${planned.count} places`
  return { output: `Changed ${name} (${where}).` }
}
