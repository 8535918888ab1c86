// Write: a whole file.
import { z } from "zod"
import { count } from "../../model/text/amounts.ts"
import { unifiedDiff } from "../../model/text/unified-diff.ts"
import { replaceFile } from "../files/replace-file.ts"
import { readText } from "../files/text-file.ts"
import {
  absolute,
  failure,
  type Preview,
  shown,
  type ToolContext,
  type ToolResult,
  toolText,
  type WorkRoot,
} from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"
import { changedMeanwhile, FILE_WRITER } from "./file-writer.ts"

const schema = z.object({
  path: z.string().min(1).describe("The file"),
  content: z.string().describe("All of its new content"),
})

type WriteInput = z.infer<typeof schema>

export const writeTool = defineTool({
  name: "Write",
  description: toolText(import.meta.url, "write"),
  schema,
  ...FILE_WRITER,
  preview,
  run,
})

async function preview(input: WriteInput, root: WorkRoot): Promise<Preview> {
  const path = absolute(root, input.path)
  const name = shown(root, path)
  const before = await readText(path)
  const title = `Write ${name}`
  switch (before.kind) {
    case "directory":
    case "other":
      return {
        action: { kind: "write", path, diff: "" },
        title,
        problem: `${name} is a ${before.kind === "other" ? "special file" : "directory"}.`,
      }
    case "binary":
      return {
        action: { kind: "write", path, diff: `${name} is binary; all of it is replaced.\n` },
        title,
        basis: before.hash,
      }
    case "missing":
      return {
        action: { kind: "write", path, diff: unifiedDiff(name, undefined, input.content) },
        title,
        basis: before.hash,
      }
    case "text":
      return {
        action: { kind: "write", path, diff: unifiedDiff(name, before.text, input.content) },
        title,
        basis: before.hash,
      }
  }
}

async function run(input: WriteInput, context: ToolContext): Promise<ToolResult> {
  const path = absolute(context.root, input.path)
  const name = shown(context.root, path)
  const before = await readText(path)
  if (before.kind === "directory" || before.kind === "other")
    return failure(`${name} is not a file that can be written.`)
  if (context.basis !== undefined && context.basis !== before.hash) return failure(changedMeanwhile(name))
  if (before.kind === "text" && before.text === input.content)
    return { output: `${name} already has exactly this content.` }
  await replaceFile(path, input.content)
  const lines = input.content === "" ? 0 : input.content.replace(/\n$/, "").split("\n").length
  return { output: `${before.kind === "missing" ? "Created" : "Replaced"} ${name} (${count(lines, "line")}).` }
}
