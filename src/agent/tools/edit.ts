// Edit: exact replacement in a file. All decisions are in replacement.ts; the disk and the messages are here.
import { z } from "zod"
import type { Parsed } from "../../model/json.ts"
import { asWritten } from "../../model/text/inert.ts"
import { unifiedDiff } from "../../model/text/unified-diff.ts"
import { likeness } from "../files/nearest.ts"
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
import { notFound } from "./read.ts"

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

interface Wanted {
  old: string
  new: string
  all?: boolean | undefined
}

interface Replaced {
  after: string
  count: number
  /** The lines of the first few occurrences. */
  lines: number[]
}

/** The most similar part of a text is shown if it is at least this similar. */
const WORTH_SHOWING = 0.5
const MOST_STRETCHES = 20_000
const MOST_SHOWN = 20
const MOST_LINES_NAMED = 10

/** Exact replacement in a text, and errors that say what is there instead. Pure. */
function replaceIn(text: string, wanted: Wanted): Parsed<Replaced> {
  if (wanted.old === "") return no("`old` is empty. Give the text to replace, or use Write.")
  if (wanted.old === wanted.new) return no("`old` and `new` are the same.")
  const { old, fresh } = inLineEndsOf(text, asInFile(text, wanted))
  const places = placesOf(text, old)
  if (places.length === 0) return no(notThere(text, wanted.old))
  const lines = places.slice(0, MOST_LINES_NAMED).map((place) => lineAt(text, place))
  if (places.length > 1 && wanted.all !== true) {
    const where = lines.join(", ") + (places.length > lines.length ? ", …" : "")
    return no(
      `\`old\` occurs ${places.length} times (lines ${where}). Give more lines around the one you mean, or set all.`,
    )
  }
  return { ok: true, value: { after: text.split(old).join(fresh), count: places.length, lines } }
}

const no = (problem: string) => ({ ok: false, problem }) as const

/** The model sees `<\system>` where the file has no backslash. */
function asInFile(text: string, wanted: Wanted): Wanted {
  if (text.includes(wanted.old) || asWritten(wanted.old) === wanted.old) return wanted
  return { ...wanted, old: asWritten(wanted.old), new: asWritten(wanted.new) }
}

/** In a file with CRLF, the model sees only lines and writes LF. */
function inLineEndsOf(text: string, wanted: Wanted): { old: string; fresh: string } {
  const crlf = !text.includes(wanted.old) && text.includes("\r\n") && !wanted.old.includes("\r")
  const convert = (part: string) => (crlf ? part.replace(/\r?\n/g, "\r\n") : part)
  return { old: convert(wanted.old), fresh: convert(wanted.new) }
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) line++
  return line
}

function notThere(text: string, old: string): string {
  if (/^\s*\d+\t/.test(old) && text.includes(old.replace(/^\s*\d+\t/gm, ""))) {
    return "`old` begins with line numbers from Read; they are not part of the file. Leave them out."
  }
  const near = nearest(text, old)
  if (near === undefined) return "`old` is not in the file, nor anything like it. Read the file again."
  const why = squeezed(near.text) === squeezed(old) ? "only white space differs" : "the nearest is"
  return `\`old\` is not in the file; ${why}, at line ${near.line}:\n${near.text}`
}

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim()

function nearest(text: string, old: string): { line: number; text: string } | undefined {
  const lines = text.split(/\r?\n/)
  const wanted = old.replace(/\n$/, "").split(/\r?\n/)
  const height = Math.min(wanted.length, MOST_SHOWN)
  const pattern = wanted.slice(0, height).map((line) => line.trim())
  let best = { line: 0, score: 0 }
  for (let i = 0; i + height <= Math.max(height, lines.length) && i < MOST_STRETCHES; i++) {
    const score = stretchScore(lines, i, pattern, best.score)
    if (score > best.score) best = { line: i, score }
  }
  if (best.score < WORTH_SHOWING) return undefined
  return { line: best.line + 1, text: lines.slice(best.line, best.line + height).join("\n") }
}

/** The mean similarity of the lines; 0 as soon as it cannot beat `toBeat`. */
function stretchScore(lines: string[], at: number, pattern: string[], toBeat: number): number {
  let score = 0
  for (const [i, wanted] of pattern.entries()) {
    const line = (lines[at + i] ?? "").trim()
    score += line === wanted ? 1 : likeness(line.slice(0, 500), wanted.slice(0, 500))
    if ((score + pattern.length - i - 1) / pattern.length <= toBeat) return 0
  }
  return score / pattern.length
}
