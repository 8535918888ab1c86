// The steps of calls that no snapshot shows, from what the agent's own files tell: for each file all of its changes, or none.
import type { SpansToRestore } from "../../../history/files/applied-changes.ts"
import type { CallSpan } from "../../../history/files/call-spans.ts"
import type { SaidChange } from "../../../history/files/said-calls.ts"
import { reversedHunks } from "../../../history/files/said-hunks.ts"
import { type FileBytes, parseSnapshotId, type SnapshotId, type Step, type Workspace } from "../../../workspace/port.ts"

export interface SaidSteps {
  /** For each span that no snapshot shows: what to take back, of several calls at once if nobody changed the file in between. */
  steps: ReadonlyMap<CallSpan, Step>
  /** Files that such spans changed: those whose content is certain, and those that stay because it is not. */
  known: string[]
  named: string[]
  /** The spans whose changes to a file one step takes back. */
  pieces: readonly Pick<Piece, "path" | "spans">[]
}

/** A change of one file by one or more calls. It goes with the step of the first of these spans. */
interface Piece extends Content {
  path: string
  spans: [CallSpan, ...CallSpan[]]
}

/** The agent's own copy of a file, as it was before the round of a call. */
export type CopyBefore = (span: CallSpan, path: string) => Promise<Uint8Array | undefined>

/** Undefined if snapshots show everything. Takes a snapshot of now. */
export async function saidSteps(
  files: Workspace,
  spans: SpansToRestore,
  copied: CopyBefore,
): Promise<SaidSteps | undefined> {
  const told = [...spans.takeBack, ...spans.bringAgain].filter(({ said }) => said !== undefined)
  if (told.length === 0 || files.unavailable !== undefined) return undefined
  const now = (await files.snapshot()).id
  const read = async (snapshot: SnapshotId | undefined, path: string) => {
    const bytes = snapshot === undefined ? undefined : await files.blob(snapshot, path)
    return bytes === undefined ? null : Buffer.from(bytes).toString("latin1")
  }
  const pieces: Piece[] = []
  const [known, named] = [new Set<string>(), new Set<string>()]
  for (const path of new Set(told.flatMap(({ changes }) => changes.map((change) => change.path)))) {
    const back = spans.takeBack.filter((span) => has(span, path))
    const again = spans.bringAgain.filter((span) => has(span, path))
    const found = await piecesOf(path, { back, again, now: await read(now, path), copied }, read)
    for (const piece of found ?? []) pieces.push(piece)
    ;(found === undefined ? named : known).add(path)
  }
  return { steps: await putSteps(files, told, pieces), known: [...known], named: [...named], pieces }
}

function has({ changes }: CallSpan, path: string): boolean {
  return changes.some((change) => change.path === path)
}

interface Changed {
  back: readonly CallSpan[]
  again: readonly CallSpan[]
  now: string | null
  copied: CopyBefore
}

/**
 * What a whole file contained before, as its agent's copy has it, if that has the same lines: what the agent tells with LF may have
 * had CRLF, and a file that it wrote anew does not show that any more.
 */
async function asCopied(content: Content, span: CallSpan, path: string, copied: CopyBefore): Promise<Content> {
  const change = changeOf(span, path)
  if (change === undefined || !("before" in change) || change.lineEnds !== "lf" || content.before === null)
    return content
  const bytes = await copied(span, path)
  const copy = bytes === undefined ? content.before : Buffer.from(bytes).toString("latin1")
  const lines = (text: string) => text.replaceAll("\r\n", "\n")
  return lines(copy) === lines(content.before) ? { ...content, before: copy } : content
}

/** Undefined if the content around one of the calls is not certain. */
async function piecesOf(
  path: string,
  { back, again, now, copied }: Changed,
  read: (snapshot: SnapshotId | undefined, path: string) => Promise<string | null>,
): Promise<Piece[] | undefined> {
  const pieces: Piece[] = []
  let later = now
  let last: Piece | undefined
  for (const span of back) {
    if (span.said === undefined) {
      later = await read(parseSnapshotId(span.before), path)
      last = undefined
      continue
    }
    const told = contentAround(changeOf(span, path), later)
    if (told === undefined) return undefined
    const content = await asCopied(told, span, path, copied)
    later = content.before
    if (last !== undefined && last.before === content.after) {
      last.before = content.before
      last.spans.push(span)
    } else {
      last = { path, spans: [span], ...content }
      pieces.push(last)
    }
  }
  for (const span of again) {
    if (span.said === undefined) continue
    const change = changeOf(span, path)
    // What is not told whole can only be found from what came later, and that is not there.
    const content = change !== undefined && "before" in change ? contentAround(change, now) : undefined
    if (content === undefined) return undefined
    pieces.push({ path, spans: [span], ...content })
  }
  return pieces
}

function changeOf({ said }: CallSpan, path: string) {
  return said?.find((file) => file.path === path)?.change
}

/** A step for each span, which may have nothing to do. */
async function putSteps(
  files: Workspace,
  told: readonly CallSpan[],
  pieces: readonly Piece[],
): Promise<Map<CallSpan, Step>> {
  const steps = new Map<CallSpan, Step>()
  for (const span of told) {
    const own = pieces.filter(({ spans }) => spans[0] === span)
    const before = await files.put(own.map(({ path, before }) => asFile(path, before)))
    const after = await files.put(own.map(({ path, after }) => asFile(path, after)))
    steps.set(span, { before, after, paths: own.map(({ path }) => path) })
  }
  return steps
}

function asFile(path: string, content: string | null): FileBytes {
  return { path, bytes: content === null ? null : Buffer.from(content, "latin1") }
}

interface Content {
  before: string | null
  after: string | null
}

/**
 * What a file contained before and after a call, from what the agent's own file tells and from what it contained later.
 * Contents are bytes as latin1 text, as everywhere where bytes are compared by lines. Null: there was no file.
 * Undefined unless it is certain, byte for byte. `later`: what the file contained at some time after the call.
 */
function contentAround(change: SaidChange | undefined, later: string | null): Content | undefined {
  if (change === undefined) return undefined
  const ends = change.lineEnds === "exact" ? "\n" : lineEndsOf(later)
  if (change.lineEnds === "lf-only" && (later === null || ends !== "\n")) return undefined
  if (ends === undefined) return undefined
  if ("before" in change) return wholeContent(change, later, ends)
  if (later === null) return undefined
  const text = ends === "\n" ? later : later.replaceAll("\r\n", "\n")
  const before = "hunks" in change ? reversed(change, text) : replacedBack(change, text)
  return before === undefined ? undefined : { before: withEnds(before, ends), after: later }
}

type Whole = Extract<SaidChange, { before: string | null }>

function wholeContent({ before, after, lastEnd }: Whole, later: string | null, ends: string): Content | undefined {
  if (isLossy(before) || isLossy(after)) return undefined
  const content = { before: bytesOf(before, ends), after: bytesOf(after, ends) }
  if (lastEnd === undefined) return content
  // Of a deleted file it is not known whether its last line ended.
  if (before !== null) return undefined
  return { before: null, after: content.after === `${later}\n` ? later : content.after }
}

function reversed({ hunks, lastEnd }: Extract<SaidChange, { hunks: unknown }>, text: string): string | undefined {
  const lines = hunks.map(({ newStart, lines }) => ({ newStart, lines: lines.map((line) => bytes(line)) }))
  if (hunks.some((hunk) => hunk.lines.some((line) => line.startsWith("-") && isLossy(line)))) return undefined
  return reversedHunks(text, lines, lastEnd)
}

/** Only where the passage is there once, and where what it replaced would be there once. */
function replacedBack(change: Extract<SaidChange, { replaced: string }>, text: string): string | undefined {
  const [replaced, by] = [bytes(change.replaced), bytes(change.by)]
  if (by === "" || isLossy(change.replaced)) return undefined
  const at = onlyPlace(text, by)
  if (at === undefined) return undefined
  const before = text.slice(0, at) + replaced + text.slice(at + by.length)
  return onlyPlace(before, replaced) === undefined ? undefined : before
}

function onlyPlace(text: string, part: string): number | undefined {
  const at = text.indexOf(part)
  return at === -1 || text.includes(part, at + 1) ? undefined : at
}

/** Undefined if it has both. */
function lineEndsOf(text: string | null): "\n" | "\r\n" | undefined {
  if (text === null || !text.includes("\r\n")) return "\n"
  return /(?<!\r)\n/.test(text) ? undefined : "\r\n"
}

function withEnds(text: string, ends: string): string {
  return ends === "\n" ? text : text.replaceAll("\n", ends)
}

function bytesOf(text: string | null, ends: string): string | null {
  return text === null ? null : withEnds(bytes(text), ends)
}

function bytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1")
}

/** Whether bytes that are no text were replaced when it was read. */
function isLossy(text: string | null): boolean {
  return text?.includes("\uFFFD") === true
}
