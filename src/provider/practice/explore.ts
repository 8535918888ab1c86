// Explores: lists the files, reads them four per step, then goes back to where it started with a note of what it found.
import { type MadeCall, type PlannedCall, type RequestWork, type Script, textField } from "./work.ts"

const FILES_PER_STEP = 4
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|dist)\/|\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|woff2?|lock|wasm|bin)$/i

interface Exploration {
  path?: string
  files: number
  fact?: string
}

export function exploreCalls({ work, checkpoint, tools }: Script, request: Exploration): PlannedCall[] | undefined {
  const list = work.steps[0]?.[0]
  if (list === undefined)
    return [{ name: "Glob", input: { pattern: "**/*", ...(request.path && { path: request.path }) } }]
  if (list.error === true) return undefined
  const files = filesOf(list.output ?? "").slice(0, request.files)
  const read = readsOf(work)
  const next = files.slice(read.length, read.length + FILES_PER_STEP)
  if (next.length > 0) return next.map((path) => ({ name: "Read", input: { path } }))
  const last = work.steps.at(-1)?.[0]
  if (last?.name === "Backtrack" || checkpoint === undefined || !tools.has("Backtrack") || read.length === 0)
    return undefined
  return [{ name: "Backtrack", input: { checkpoint_id: checkpoint, note: findings(work) } }]
}

/** What was found: which files, and the lines with the text it looked for, or how each file begins. */
export function findings(work: RequestWork): string {
  const request = work.request
  const reads = readsOf(work)
  if (reads.length === 0) return "There was nothing to read."
  const names = reads.map(pathOf)
  const failed = reads.filter((made) => made.error === true).map(pathOf)
  const fact = request.do === "explore" ? request.fact : undefined
  const lines = fact === undefined ? reads.slice(0, 8).map(firstLine) : reads.flatMap((made) => linesWith(made, fact))
  return [
    `I read ${reads.length} ${reads.length === 1 ? "file" : "files"}: ${names.join(", ")}.`,
    fact === undefined ? "How they begin:" : `Lines with "${fact}":${lines.length === 0 ? " none." : ""}`,
    ...lines,
    ...(failed.length > 0 ? [`Could not be read: ${failed.join(", ")}.`] : []),
    "Nothing was changed; they need not be read again.",
  ].join("\n")
}

function filesOf(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trim().replace(/^\.\//, ""))
  return lines.filter(
    (line) =>
      line !== "" && !/^[(<[]|^(?:no|found)\b.*\bfiles?\b/i.test(line) && !line.endsWith("/") && !SKIPPED.test(line),
  )
}

function readsOf(work: RequestWork): MadeCall[] {
  return work.steps.flat().filter((made) => made.name === "Read")
}

function pathOf(made: MadeCall): string {
  return textField(made, "path") ?? "?"
}

function firstLine(made: MadeCall): string {
  const line =
    (made.output ?? "").split("\n").find((text) => /\w/.test(text.replace(/^\s*\d+\s*[\t→|:]?/, ""))) ?? "(empty)"
  return `- ${pathOf(made)}: ${line.trim().slice(0, 100)}`
}

function linesWith(made: MadeCall, fact: string): string[] {
  const wanted = fact.toLowerCase()
  const lines = (made.output ?? "").split("\n").filter((line) => line.toLowerCase().includes(wanted))
  return lines.slice(0, 3).map((line) => `- ${pathOf(made)}: ${line.trim().slice(0, 200)}`)
}
