// What was written for an agent is read back as it was: every message, in order, calls with their results, and the prompts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { Format, Written } from "../../src/formats/port.ts"
import { NONE, path } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { Json } from "../../src/model/json.ts"
import { isPrompt } from "../../src/model/record/prompt.ts"
import type { Entry, LogRecord, MessageRecord, Part } from "../../src/model/record/record.ts"
import { readSession } from "./read-session.ts"

const CWD = "/home/you/some project"
const NOW = "2026-11-16T12:00:00.000Z"

interface Round {
  /** What the agent added by itself before the prompt. */
  reminder: string | undefined
  prompt: Part[]
  steps: { say: Part[]; calls: { name: string; input: Json; output: string; error: boolean; image: boolean }[] }[]
  end: Part[]
}

const IMAGE: Part = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
const textPart = text.map((each): Part => ({ type: "text", text: each }))
const spoken = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: textPart },
    { weight: 1, arbitrary: text.map((each): Part => ({ type: "reasoning", text: each })) },
  ),
  { minLength: 1, maxLength: 3 },
)
const call = fc.record({
  name: fc.constantFrom("read", "write_file", "bash"),
  input: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 })),
  output: fc.string({ unit: "grapheme", maxLength: 60 }),
  error: fc.boolean(),
  image: fc.boolean(),
})
const round: fc.Arbitrary<Round> = fc.record({
  reminder: fc.option(text, { nil: undefined }),
  prompt: fc.oneof(
    { weight: 4, arbitrary: textPart.map((part) => [part]) },
    { weight: 1, arbitrary: textPart.map((part) => [part, IMAGE]) },
  ),
  steps: fc.array(fc.record({ say: spoken, calls: fc.array(call, { minLength: 1, maxLength: 3 }) }), { maxLength: 2 }),
  end: spoken,
}) as fc.Arbitrary<Round>

/** A path of entries; `summary`: after so many rounds a summary stands for them. */
export const anyEntries = fc
  .record({ rounds: fc.array(round, { minLength: 1, maxLength: 4 }), summary: fc.option(fc.nat(2)) })
  .map(({ rounds, summary }) => entriesOf(rounds, summary))

function entriesOf(rounds: readonly Round[], summary: number | null): Entry[] {
  const entries: Entry[] = []
  const base = () => {
    const id = `0195b3c4-0000-7000-8000-${entries.length.toString(16).padStart(12, "0")}` as EntryId
    const at = new Date(Date.parse("2026-11-16T10:00:00.000Z") + entries.length * 1000).toISOString()
    return { id, at, parent: entries.at(-1)?.id ?? null }
  }
  const say = (role: MessageRecord["role"], origin: MessageRecord["origin"], content: Part[]) =>
    entries.push({ ...base(), type: "message", role, origin, content })
  for (const [i, { reminder, prompt, steps, end }] of rounds.entries()) {
    if (i > 0 && i === summary) {
      const compaction = { summary: "what was done", prompts: [], keepFrom: null, cause: "person" as const }
      entries.push({ ...base(), type: "compaction", ...compaction })
    }
    if (reminder !== undefined) say("user", "injection", [{ type: "text", text: reminder }])
    say("user", "prompt", prompt)
    for (const step of steps) {
      const calls = step.calls.map((each, n) => ({ ...each, call: `call_${entries.length}_${n}` }))
      const asked = calls.map(({ call, name, input }): Part => ({ type: "tool-call", call, name, input: plain(input) }))
      say("assistant", "agent", [...step.say, ...asked])
      say(
        "tool",
        "tool",
        calls.map(({ call, name, output, error, image }): Part => {
          const media = image ? { media: [IMAGE] } : {}
          return { type: "tool-result", call, name, output, ...(error && { error: true as const }), ...media }
        }),
      )
    }
    say("assistant", "agent", end)
  }
  return entries
}

/** As JSON has it: there is no -0. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

interface RoundTripOptions {
  /** A text that the format adds to every session with a summary. */
  adds?: string
  /** What the format cannot hold, and says so. */
  loses?: "reasoning"
  runs?: number
}

export function roundTrip(format: Format, { adds, loses, runs = 40 }: RoundTripOptions = {}): void {
  test(`${format.agent}: what is written is read back: messages, order, calls with results, prompts`, async () => {
    await fc.assert(
      fc.asyncProperty(anyEntries, async (entries) => {
        const home = mkdtempSync(join(tmpdir(), "retcon-write-"))
        try {
          const written = await writeInto(format, entries, home)
          expect(new Set(written.lost.map(({ entry }) => entry))).toEqual(new Set(entriesWith(entries, loses)))
          const { history } = await readSession(format, mainFile(written))
          const rows = path(history, history.head)
          const records = rows.map((row) => history.record(row)).filter((record) => record !== undefined)
          expect(said(records).filter((part) => adds === undefined || part[2] !== adds)).toEqual(
            said(entries).filter(([, type]) => type !== loses),
          )
          const prompts: string[] = []
          for (let row = history.prompt(history.head); row !== NONE; row = history.prompt(history.parent(row))) {
            const record = history.record(row)
            if (record?.type === "message") prompts.unshift(record.display ?? typedIn(record))
          }
          expect(prompts).toEqual(
            entries.flatMap((entry) => (isMessage(entry) && isPrompt(entry) ? [typedIn(entry)] : [])),
          )
        } finally {
          rmSync(home, { recursive: true, force: true })
        }
      }),
      { numRuns: runs },
    )
  })

  test(`${format.agent}: what is written is found where the agent looks, with its folder and title`, async () => {
    const home = mkdtempSync(join(tmpdir(), "retcon-write-"))
    try {
      const [entries] = fc.sample(anyEntries, { numRuns: 1, seed: 7 })
      const written = await writeInto(format, entries ?? [], home)
      const places = [...format.find({ home, env: {} })]
      expect(places.map(({ main }) => relative(home, main))).toEqual([relative(home, mainFile(written))])
      const [place] = places
      if (place === undefined) return
      const head = readFileSync(place.main)
      const look = { head: head.subarray(0, 4096), tail: head.subarray(-4096), read: readOrNothing }
      const glance = format.glance(place, look)
      expect(glance?.title).toBe("a title")
      expect(glance?.cwd).toBe(CWD)
      expect(glance?.id).toBe((await format.open(place)).id)
      expect(format.resume(place, glance?.name ?? "")).toEqual(written.resume)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
}

async function writeInto(format: Format, entries: readonly Entry[], home: string): Promise<Written> {
  const newId = () => "0195b3c4-1111-7000-8000-000000000001"
  const written = await format.write?.({
    entries,
    cwd: CWD,
    homes: { home, env: {} },
    title: "a title",
    now: NOW,
    newId,
  })
  if (written === undefined) throw new Error(`nothing can be written for ${format.agent}`)
  for (const { path: file, bytes } of written.files) {
    expect(relative(home, file).startsWith("..")).toBe(false)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
  return written
}

/** The file with the conversation: the longest. */
function mainFile({ files }: Written): string {
  return files.reduce((best, file) => (file.bytes.length > best.bytes.length ? file : best)).path
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function entriesWith(entries: readonly Entry[], type: string | undefined): EntryId[] {
  return entries
    .filter((entry) => isMessage(entry) && entry.content.some((part) => part.type === type))
    .map(({ id }) => id)
}

function isMessage(entry: LogRecord): entry is MessageRecord {
  return entry.type === "message"
}

function typedIn({ content }: MessageRecord): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
}

/** Everything that is said, part by part, and by whom. */
function said(records: readonly LogRecord[]): unknown[][] {
  return records.flatMap((record) => {
    if (record.type === "compaction") return [["summary", "text", record.summary]]
    if (record.type !== "message") return []
    return record.content.map((part) => {
      if (part.type === "text" || part.type === "reasoning") return [record.role, part.type, part.text]
      if (part.type === "tool-call") return [record.role, "call", part.call, part.name, part.input]
      if (part.type === "tool-result") return [record.role, "result", part.call, part.output, part.error, part.media]
      return [record.role, part]
    })
  })
}
