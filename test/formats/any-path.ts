// Random paths of a conversation, as the engine writes them.
import * as fc from "fast-check"
import type { EntryId } from "../../src/model/id.ts"
import type { Json } from "../../src/model/json.ts"
import type { Origin, Role } from "../../src/model/record/origin.ts"
import type { Entry, Part } from "../../src/model/record/record.ts"
import { SYSTEM_KEY } from "../../src/model/record/state-key.ts"
import { anyJson } from "../model/arbitrary.ts"

/** An entry before it has a place. */
type Bare = Entry extends infer Each ? (Each extends Entry ? Omit<Each, "id" | "at" | "parent"> : never) : never

/** Unicode, what JSON escapes, what looks like another's mark, long texts, and none. */
const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 20, unit: "grapheme" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", " ", "\n", '"}', "\u2028", "<environment_context>", "<system>x</system>", "{}"),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 3 }).map((text) => text.repeat(5_000)) },
)
const someText = anyText.map((text) => `${text}.`)

const anyImage: fc.Arbitrary<Part> = fc
  .tuple(fc.constantFrom("image/png", "image/jpeg"), fc.base64String({ maxLength: 12 }))
  .map(([mediaType, data]) => ({ type: "image", mediaType, data }))

const text = (value: string): Part => ({ type: "text", text: value })

function said(role: Role, origin: Origin, content: Part[]): Bare {
  return { type: "message", role, origin, content }
}

const anyFile: fc.Arbitrary<Part> = fc
  .base64String({ maxLength: 12 })
  .map((data) => ({ type: "file", mediaType: "application/pdf", data, name: "a.pdf" }))

/** Some begin like a command of some agent. */
const promptText = fc.tuple(fc.constantFrom("", "", "", "/", "?", "!", "#", "@"), someText).map((pair) => pair.join(""))

const anyPrompt = fc
  .tuple(
    promptText,
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: someText.map(text) },
        { weight: 4, arbitrary: anyImage },
        { weight: 1, arbitrary: anyFile },
      ),
      { maxLength: 2 },
    ),
    someText,
  )
  .map(([first, content, more]) => said("user", "prompt", [text(first), ...content, text(more)]))

const anyAside = fc
  .tuple(fc.constantFrom<Origin>("injection", "notification", "steer", "hook", "shell", "skill", "interrupt"), someText)
  .map(([origin, value]) => said("user", origin, [text(value)]))

const anyInput: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.dictionary(fc.string({ maxLength: 5 }), anyJson, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
)

const anyStep = fc.record({
  reasoning: fc.option(someText, { nil: undefined }),
  text: anyText,
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("Read", "bash", "mcp__x"),
      input: anyInput,
      output: anyText,
      error: fc.boolean(),
      images: fc.array(anyImage, { maxLength: 1 }),
    }),
    { maxLength: 3 },
  ),
  aside: fc.option(anyAside, { nil: undefined }),
  pieces: fc.boolean(),
})

/** An answer, the results of its calls, and perhaps something that the agent was told then. */
function step(
  { reasoning, text: value, calls, aside, pieces }: typeof anyStep extends fc.Arbitrary<infer S> ? S : never,
  n: number,
): Bare[] {
  const answer: Part[] = [
    ...(reasoning === undefined ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    text(value),
    ...calls.map(({ name, input }, i): Part => ({ type: "tool-call", call: `call_${n}_${i}`, name, input })),
  ]
  const results = calls.map(
    ({ output, error, images }, i): Part => ({
      type: "tool-result",
      call: `call_${n}_${i}`,
      output,
      ...(error && { error: true as const }),
      ...(images.length > 0 && { media: images }),
    }),
  )
  return [
    ...(pieces ? inPieces(answer, results, `answer ${n}`) : whole(answer, results)),
    ...(aside === undefined ? [] : [aside]),
  ]
}

function whole(answer: Part[], results: Part[]): Bare[] {
  return [said("assistant", "agent", answer), ...(results.length > 0 ? [said("tool", "tool", results)] : [])]
}

/** As some agents write it: part by part, each result behind its call. */
function inPieces(parts: Part[], results: Part[], name: string): Bare[] {
  return parts.flatMap((part): Bare[] => {
    const result = results.filter(
      (each) => part.type === "tool-call" && each.type === "tool-result" && each.call === part.call,
    )
    const piece = { ...said("assistant", "agent", [part]), answer: name } as Bare
    return [piece, ...(result.length > 0 ? [said("tool", "tool", result)] : [])]
  })
}

const anyRound = fc.tuple(anyPrompt, fc.array(anyStep, { minLength: 1, maxLength: 3 }))

const anyCompaction = fc.record({ summary: someText, prompts: fc.array(someText, { maxLength: 2 }), keeps: fc.nat(3) })

export const anyPath: fc.Arbitrary<Entry[]> = fc
  .tuple(
    fc.option(someText, { nil: undefined }),
    fc.array(fc.tuple(anyRound, fc.option(anyCompaction, { nil: undefined, freq: 4 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([system, rounds]) => {
    const path = new Path()
    if (system !== undefined) path.add({ type: "state", key: SYSTEM_KEY, value: system })
    for (const [[prompt, steps], compaction] of rounds) {
      path.add(prompt)
      for (const each of steps) for (const bare of step(each, path.entries.length)) path.add(bare)
      if (compaction !== undefined) path.compact(compaction)
    }
    return path.entries
  })

class Path {
  readonly entries: Entry[] = []

  add(bare: Bare): void {
    const n = this.entries.length
    const id = `01a1e500-0000-7000-8000-${n.toString(16).padStart(12, "0")}` as EntryId
    const at = new Date(Date.UTC(2026, 10, 16) + n * 1000).toISOString()
    this.entries.push({ ...bare, id, at, parent: this.entries.at(-1)?.id ?? null })
  }

  /** What is kept begins with a prompt, as ours does. */
  compact({ summary, prompts, keeps }: { summary: string; prompts: string[]; keeps: number }): void {
    const asked = this.entries.filter((entry) => entry.type === "message" && entry.origin === "prompt")
    const keepFrom = keeps === 0 ? null : (asked.at(-keeps)?.id ?? null)
    this.add({ type: "compaction", summary, prompts, keepFrom, cause: "person" })
  }
}
