// A path of ours, written as a session of another agent and read back, gives the model the same context: with odd inputs, kept
// tails and everything that an agent was told besides.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import type { Format, Written } from "../../src/formats/port.ts"
import { compactionMessages } from "../../src/history/context/compaction-messages.ts"
import { contextAt } from "../../src/history/context/context.ts"
import { type ContextMessage, message } from "../../src/history/context/message.ts"
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import { emptyFacts, factsOf } from "../../src/model/record/facts.ts"
import { type Entry, type LogRecord, type Part, plainText } from "../../src/model/record/record.ts"
import { asWritten } from "../../src/model/text/inert.ts"
import { anyPath } from "./any-path.ts"
import { readSession, temporaryFolder } from "./read-session.ts"

interface CarriedOptions {
  /** Said by the format to be lost: what is not compared. */
  reasoning: "kept" | "lost"
}

const NOW = "2026-11-16T12:34:56.789Z"

export function carriedOver(format: Format, options: CarriedOptions): void {
  test(`${format.agent}: written and read back, the model sees the same, and the prompts are the same`, async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, async (entries) => {
        const { history: after, written } = await writtenAndRead(format, entries)
        const unsent = new Set(
          written.lost.flatMap(({ entry, what }) => (what.includes("does not send it when it resumes") ? [entry] : [])),
        )
        const before = new RecordedPath(
          entries.map((each) => (unsent.has(each.id) ? ({ ...each, dropped: true } as Entry) : each)),
        )
        expect(promptsOf(after, after.head)).toEqual(promptsOf(before, before.tip))
        const shown = (messages: ContextMessage[]) =>
          saidIn(messages, options.reasoning === "lost" ? ["file", "reasoning"] : ["file"])
        const [found, wanted] = [shown(contextAt(after)), shown(contextAt(before, before.tip))]
        const compaction = entries.findLast(({ type }) => type === "compaction")
        if (compaction?.type !== "compaction") expect(found).toEqual(wanted)
        else {
          // Each agent has its own words around a summary; what comes behind it is the same.
          const rest = wanted.slice(shown(compactionMessages(compaction)).length)
          expect(found.slice(rest.length === 0 ? found.length : -rest.length)).toEqual(rest)
          const all = found.map(({ text }) => text).join("\n")
          for (const text of [compaction.summary, ...compaction.prompts]) expect(all).toContain(text)
        }
        expect(written.lost.every(({ entry }) => entries.some(({ id }) => id === entry))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  test(`${format.agent}: what the copy does not say is said to be lost`, async () => {
    const talks = anyPath.filter((entries) => entries.every(({ type }) => type !== "compaction"))
    await fc.assert(
      fc.asyncProperty(talks, async (entries) => {
        const { history, written } = await writtenAndRead(format, entries)
        const found = saidIn(contextAt(history)).map(({ text }) => text)
        const lost = new Set(written.lost.map(({ entry }) => entry))
        for (const entry of entries) {
          if (entry.type !== "message") continue
          const said = saidIn([message(entry.role, entry.content)])
          const missing = said.filter(({ text }) => !found.some((each) => each.includes(text)))
          if (!lost.has(entry.id)) expect(missing).toEqual([])
        }
      }),
      { numRuns: 30 },
    )
  })
}

async function write(format: Format, entries: readonly Entry[], home: string): Promise<Written> {
  let next = 0
  const newId = () => `01a1e600-0000-7000-8000-${(++next * 0x9e37_79b1).toString(16).padStart(12, "0").slice(-12)}`
  const request = { entries, cwd: "/home/you/project", homes: { home, env: {} }, title: undefined, now: NOW, newId }
  const written = await format.write?.(request)
  if (written === undefined) throw new Error(`${format.agent} cannot be written`)
  for (const { path, bytes } of written.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  return written
}

async function writtenAndRead(format: Format, entries: readonly Entry[]) {
  const home = temporaryFolder()
  const written = await write(format, entries, home)
  const [place] = [...format.find({ home, env: {} })]
  const { history } = await readSession(format, place?.path ?? "")
  return { history, written }
}

/** A path as a history, as our own log would hold it. */
class RecordedPath extends Rows implements History {
  readonly #records: readonly LogRecord[]
  readonly tip: Row

  constructor(records: readonly Entry[]) {
    super()
    this.#records = records
    const facts = emptyFacts()
    for (const record of records) {
      factsOf(record, facts)
      replay(this, facts, { offset: 0, length: 0 })
    }
    this.tip = records.length === 0 ? NONE : records.length - 1
  }

  record(row: Row): LogRecord | undefined {
    return this.#records[row]
  }
}

function promptsOf(history: History, head: Row): string[] {
  const found: string[] = []
  for (let row = history.prompt(head); row !== NONE; row = history.prompt(history.parent(row))) {
    const record = history.record(row)
    if (record?.type === "message") found.unshift(record.display ?? plainText(record.content))
  }
  return found
}

interface Said {
  by: string
  text: string
}

/** A list of all that is said, in order. What a person or a program says is by the user, wherever it stands. */
function saidIn(messages: readonly ContextMessage[], without: readonly Part["type"][] = []): Said[] {
  return messages.flatMap(({ role, content }) =>
    role === "system"
      ? []
      : content
          .filter(({ type }) => !without.includes(type))
          .flatMap((part) => saidBy(role === "assistant" ? "agent" : "user", part)),
  )
}

function saidBy(by: string, part: Part): Said[] {
  if (part.type === "text") return part.text === "" ? [] : [{ by, text: asWritten(part.text) }]
  if (part.type === "reasoning") return [{ by: "reasoning", text: part.text }]
  if (part.type === "image" || part.type === "file") return [{ by, text: `${part.mediaType} ${part.data}` }]
  if (part.type === "tool-call") return [{ by: `call ${part.call}`, text: JSON.stringify([part.name, part.input]) }]
  if (part.type !== "tool-result") return []
  const failed = part.error === true ? "failed" : "done"
  return [
    { by: `${failed} ${part.call}`, text: asWritten(part.output) },
    ...(part.media ?? []).flatMap((each) => saidBy(part.call, each)),
  ]
}
