// Read: lines of a file, an image, or the names in a directory.
import { createReadStream } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { createInterface } from "node:readline"
import { z } from "zod"
import { isObject } from "../../model/json.ts"
import type { Part, ToolCallPart } from "../../model/record/record.ts"
import { inert } from "../../model/text/inert.ts"
import type { ModelMessage } from "../../provider/port/port.ts"
import { contentKind, firstBytes } from "../files/content.ts"
import { nearestNames } from "../files/nearest.ts"
import { statOf } from "../files/stat-of.ts"
import { absolute, failure, shown, type ToolContext, type ToolResult, toolText, type WorkRoot } from "../port/tool.ts"
import { nestedInstructions } from "../prompt/instructions.ts"
import { defineTool } from "./define-tool.ts"

const MOST_LINES = 2000
const LONGEST_LINE = 2000
const LARGEST_IMAGE = 3_750_000
const MOST_NAMES = 1000

const schema = z.object({
  path: z.string().min(1).describe("The file or directory"),
  offset: z.int().min(1).optional().describe("First line to show, from 1"),
  limit: z.int().min(1).optional().describe("How many lines to show"),
})

export type ReadInput = z.infer<typeof schema>

export const readTool = defineTool({
  name: "Read",
  description: toolText(import.meta.url, "read"),
  schema,
  effect: "reads",
  paths: (input) => [input.path],
  limit: 60_000,
  timeout: 60_000,
  run: readPath,
})

async function readPath(input: ReadInput, context: ToolContext): Promise<ToolResult> {
  const path = absolute(context.root, input.path)
  const found = await statOf(path)
  if (found === undefined) return failure(await notFound(context.root, path))
  if (found.isDirectory()) return listDirectory(path, context)
  if (!found.isFile()) return failure(`${shown(context.root, path)} is not a regular file.`)
  if (found.size === 0 && !path.startsWith("/proc/")) return { output: "(The file is empty.)" }
  const kind = contentKind(firstBytes(path))
  if (kind.kind === "image") return readImage(path, kind.mediaType, found.size, context.root)
  if (kind.kind === "binary") {
    return failure(`${shown(context.root, path)} is binary (${found.size} bytes). Look at it with Bash, if you must.`)
  }
  const more = await newInstructions(path, context)
  const output = await readLines(path, input, { ...context, limit: context.limit - more.length })
  if (!kind.utf8) return { output: `${output}\n(Not UTF-8: some characters are shown wrong. Edit will refuse it.)` }
  const earlier = earlierRead(context.messages, context.root, path, input)
  const isSame = earlier === inert(output) || earlier?.startsWith(`${inert(output)}\n\n${NESTED}`) === true
  return { output: isSame ? UNCHANGED : output + more }
}

const NESTED = "The project's instructions for this folder, from "

/** Those of the folders below the workspace that the file is in, unless the model still sees them. */
async function newInstructions(path: string, context: ToolContext): Promise<string> {
  const { root, messages } = context
  const found = await nestedInstructions(root.folder, path, (each) => context.hidden(each))
  const texts = found.map(
    (each) => `\n\n${NESTED}${each.path}:\n${each.text.trim()}${each.cut ? "\n(There is more.)" : ""}`,
  )
  const isSeen = (text: string) =>
    messages.some(({ content }) =>
      content.some((part) => part.type === "tool-result" && part.output.includes(inert(text))),
    )
  return texts.filter((text) => !isSeen(text)).join("")
}

async function readLines(path: string, input: ReadInput, context: ToolContext): Promise<string> {
  const from = input.offset ?? 1
  const most = Math.min(input.limit ?? MOST_LINES, MOST_LINES)
  const shownLines: string[] = []
  let [number, size, more] = [0, 0, false]
  const stream = createReadStream(path, { encoding: "utf8", signal: context.signal })
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++
      if (number < from) continue
      const text = `${number}\t${cutLine(number === 1 ? line.replace(/^\uFEFF/, "") : line)}`
      more = shownLines.length >= most || (shownLines.length > 0 && size + text.length > context.limit - 200)
      if (more) break
      shownLines.push(text)
      size += text.length + 1
    }
  } finally {
    stream.destroy()
  }
  if (shownLines.length === 0) return `(The file has ${number} lines; there is no line ${from}.)`
  const body = shownLines.join("\n")
  return more ? `${body}\n(There is more: continue with offset ${from + shownLines.length}.)` : body
}

function cutLine(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  return `${line.slice(0, LONGEST_LINE)} [cut: ${line.length} characters]`
}

async function readImage(path: string, mediaType: string, size: number, root: WorkRoot): Promise<ToolResult> {
  if (size > LARGEST_IMAGE) {
    return failure(
      `${shown(root, path)} is an image of ${size} bytes; at most ${LARGEST_IMAGE} can be shown. Make it smaller.`,
    )
  }
  const data = (await readFile(path)).toString("base64")
  return { output: `${shown(root, path)}: ${mediaType}, ${size} bytes`, media: [{ type: "image", mediaType, data }] }
}

async function listDirectory(path: string, context: ToolContext): Promise<ToolResult> {
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  if (names.length === 0) return { output: "(The directory is empty.)" }
  const more = names.length > MOST_NAMES ? [`(${names.length - MOST_NAMES} more)`] : []
  return {
    output: [`${shown(context.root, path)} is a directory:`, ...names.slice(0, MOST_NAMES), ...more].join("\n"),
  }
}

/** Says what is there instead, so that the next call succeeds. */
export async function notFound(root: WorkRoot, path: string): Promise<string> {
  const names = await nearestNames(dirname(path), basename(path))
  const hint = names.length === 0 ? "" : ` That directory has: ${names.join(", ")}.`
  return `${shown(root, path)} does not exist.${hint}`
}

/**
 * "Unchanged since you read it" is decided only by what the model can see. There is no cache that a rewind, a
 * compaction or a split could forget to clear.
 */
const UNCHANGED = "(The file has not changed since you read it with this same call, above.)"

interface Wanted {
  offset?: number | undefined
  limit?: number | undefined
}

/** What the last Read of the same lines of this file returned, if the model can still see it. */
function earlierRead(
  messages: readonly ModelMessage[],
  root: WorkRoot,
  path: string,
  wanted: Wanted,
): string | undefined {
  const outputs = new Map<string, string>()
  for (const message of messages.toReversed()) {
    for (const part of message.content.toReversed()) {
      if (part.type === "tool-result" && part.error !== true && typeof part.output === "string") {
        outputs.set(part.call, part.output)
      }
      const output = isSameRead(part, root, path, wanted) ? outputs.get(part.call) : undefined
      if (output !== undefined && output !== UNCHANGED) return output
    }
  }
  return undefined
}

function isSameRead(part: Part, root: WorkRoot, path: string, wanted: Wanted): part is ToolCallPart {
  if (part.type !== "tool-call" || part.name !== "Read" || !isObject(part.input)) return false
  const { path: named, offset, limit } = part.input
  return (
    typeof named === "string" &&
    absolute(root, named) === path &&
    (offset ?? 1) === (wanted.offset ?? 1) &&
    (limit ?? undefined) === wanted.limit
  )
}
