// Which of the agent's changes the files hold, from the log alone: spans and moves without any file.
import * as fc from "fast-check"
import { expect, test, vi } from "vitest"
import { appliedSpans, type Moment, spansToRestore } from "../../src/history/files/applied-changes.ts"
import type { CallSpan } from "../../src/history/files/call-spans.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { FilesMove, SnapshotRecord, WritableRecord } from "../../src/model/record/record.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { naivePlan, naiveSpans } from "./naive-changes.ts"

const { ids, now } = systemOptions()

class Scene {
  readonly session: Session
  #snapshots = 0

  constructor(session: Session) {
    this.session = session
  }

  /** A prompt and an answer; answers the prompt's id and that of the answer, whose calls change files. */
  async round(...paths: string[]): Promise<{ prompt: EntryId; answer: EntryId }> {
    const [prompt, answer] = (await this.session.append([promptDraft("ask"), answerDraft("do")])) as [EntryId, EntryId]
    for (const path of paths) await (await this.open(answer, path, [path]))(path)
    return { prompt, answer }
  }

  /** Opens a span; what it answers closes it. */
  async open(entry: EntryId, call: string, named?: string[]): Promise<(...paths: string[]) => Promise<void>> {
    const since = { snapshot: `s${++this.#snapshots}`, at: now() }
    const only = named === undefined ? {} : { paths: named }
    await this.#write({ entry, when: "before", call, snapshot: since.snapshot, ...only })
    return async (...paths) => {
      const during = named === undefined ? { during: "command" as const } : {}
      const changes = paths.map((path) => ({ path, change: "modified", ...during }))
      await this.#write({ entry, when: "after", call, snapshot: `s${++this.#snapshots}`, since, changes, ...only })
    }
  }

  /** Undefined files: it left them alone. */
  async moved(files?: Partial<FilesMove>, undoes?: string, kind: "undo" | "redo" = "undo"): Promise<string> {
    const id = ids.record()
    const head = { from: this.session.head, to: this.session.head }
    await this.#append({
      id,
      type: "operation",
      at: now(),
      kind: undoes === undefined ? "restore" : kind,
      by: "person",
      head,
      ...(files && { files: { from: "f", to: "t", restore: id, ...files } }),
      ...(undoes === undefined ? {} : { undoes: undoes as never }),
    })
    return id
  }

  /** Undoes the last unit, or redoes what was undone last. */
  async turned(kind: "undo" | "redo", files?: Partial<FilesMove>): Promise<void> {
    const { history } = this.session
    const about = history[kind](history.size - 1)
    if (about !== NONE) await this.moved(files, history.id(about), kind)
  }

  applied(): string {
    return names(appliedSpans(this.session.history))
  }

  plan(moment: Moment): string {
    const { takeBack, bringAgain } = spansToRestore(this.session.history, moment)
    return [...takeBack.map((each) => `-${names([each])}`), ...bringAgain.map((each) => `+${names([each])}`)].join(" ")
  }

  row(id: string): number {
    return this.session.history.rowOf(id)
  }

  #write(facts: Omit<SnapshotRecord, "id" | "type" | "at">): Promise<void> {
    return this.#append({ id: ids.record(), type: "snapshot", at: now(), ...facts })
  }

  async #append(record: WritableRecord): Promise<void> {
    await this.session.log.append([record], { durability: "fast" })
  }
}

async function scene(): Promise<Scene> {
  return new Scene(await createSession(memoryStore(), { cwd: "/", made: { name: "test", version: "0" } }))
}

function names(all: readonly CallSpan[]): string {
  return all.map(({ changes }) => changes.map(({ path }) => path).join("+")).join(" ")
}

test("a restore leads to how the files were before a prompt, not to what the path changed", async () => {
  const it = await scene()
  await it.round("a")
  const two = await it.round("b")
  await it.moved({ before: two.prompt })
  const three = await it.round("c")
  expect(it.applied()).toBe("a c")
  expect(it.plan({ before: it.row(three.prompt) })).toBe("-c")
  expect(it.plan({ entry: it.row(two.answer) })).toBe("-c +b")
})

test("undoing a move of files keeps what was done to them since", async () => {
  const it = await scene()
  await it.round("a")
  const two = await it.round("b")
  const move = await it.moved({ before: two.prompt })
  await it.round("c")
  await it.moved({}, move)
  expect(it.applied()).toBe("a b c")
})

test("a round that was undone and redone with its files is undone by reversing the redo", async () => {
  const it = await scene()
  await it.round("a")
  const two = await it.round("b", "c")
  await it.turned("undo", { before: two.prompt, kept: [{ path: "c", steps: [0] }] })
  expect(it.applied()).toBe("a c")
  await it.turned("redo", {})
  expect(it.applied()).toBe("a b c")
  await it.turned("undo", {})
  expect(it.applied()).toBe("a c")
})

test("undoing a restore of some paths brings back those alone", async () => {
  const it = await scene()
  const one = await it.round("a", "b")
  await it.round("c")
  await it.moved({ before: one.prompt })
  const some = await it.moved({ entry: one.answer, paths: ["a"] })
  expect(it.applied()).toBe("a")
  await it.moved({}, some)
  expect(it.applied()).toBe("")
})

test("what a restore kept is still in the files", async () => {
  const it = await scene()
  const one = await it.round("a", "b")
  await it.moved({ before: one.prompt, kept: [{ path: "b", steps: [0] }] })
  expect(it.applied()).toBe("b")
  expect(it.plan({ entry: it.row(one.answer) })).toBe("+a")
})

test("an edit while a command runs is taken back once, with the command's part before and after it", async () => {
  const it = await scene()
  const { answer, prompt } = await it.round()
  const close = await it.open(answer, "command")
  await (await it.open(answer, "edit", ["a"]))("a")
  await close("a", "b")
  expect(it.applied()).toBe("a b a a")
  expect(it.plan({ before: it.row(prompt) })).toBe("-a -a -b -a")
})

test("a span in which files were moved is nobody's", async () => {
  const it = await scene()
  const one = await it.round("a")
  const close = await it.open(one.answer, "late")
  await it.moved({ before: one.prompt })
  await close("a", "b")
  expect(it.applied()).toBe("")
})

const anyPath = fc.constantFrom("a", "b", "c", "d/e", "d/f")
const anyMove = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("round" as const), paths: fc.array(anyPath, { maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("open" as const), named: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("close" as const), at: fc.nat(), paths: fc.array(anyPath) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      to: fc.nat(),
      before: fc.boolean(),
      paths: fc.option(fc.array(anyPath, { minLength: 1, maxLength: 2 }), { nil: undefined }),
      kept: fc.option(fc.record({ path: anyPath, step: fc.nat(3) }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("undo" as const), at: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("turn" as const),
      kind: fc.constantFrom("undo" as const, "redo" as const),
      files: fc.constantFrom("reversed" as const, "reversed" as const, "to a moment" as const, "left" as const),
      kept: fc.option(anyPath, { nil: undefined }),
    }),
  },
)

test("what is computed from the end of the log is what replaying all of it gives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyMove, { maxLength: 40 }), async (moves) => {
      const it = await scene()
      const rounds = [await it.round("a")]
      const open: ((...paths: string[]) => Promise<void>)[] = []
      const moved: string[] = []
      for (const [n, move] of moves.entries()) {
        const round = rounds.at(-1) as { prompt: EntryId; answer: EntryId }
        if (move.do === "round") rounds.push(await it.round(...new Set(move.paths)))
        else if (move.do === "open") open.push(await it.open(round.answer, `call ${n}`, move.named ? ["a"] : undefined))
        else if (move.do === "close") await open.splice(move.at % (open.length || 1), 1)[0]?.(...new Set(move.paths))
        else if (move.do === "undo") {
          const undone = moved[move.at % (moved.length || 1)]
          if (undone !== undefined) moved.push(await it.moved({}, undone))
        } else if (move.do === "turn") {
          const kept = move.kept === undefined ? {} : { kept: [{ path: move.kept, steps: [0] }] }
          const moment = move.files === "to a moment" ? { before: round.prompt } : {}
          await it.turned(move.kind, move.files === "left" ? undefined : { ...moment, ...kept })
        } else {
          const target = rounds[move.to % rounds.length] as { prompt: EntryId; answer: EntryId }
          const moment = move.before ? { before: target.prompt } : { entry: target.answer }
          const kept = move.kept && { kept: [{ path: move.kept.path, steps: [move.kept.step] }] }
          moved.push(await it.moved({ ...moment, ...(move.paths && { paths: move.paths }), ...kept }))
        }
      }
      const { history } = it.session
      expect(appliedSpans(history)).toEqual(naiveSpans(history))
      for (const { prompt, answer } of rounds) {
        for (const moment of [{ before: it.row(prompt) }, { entry: it.row(answer) }]) {
          expect(spansToRestore(history, moment)).toEqual(naivePlan(history, moment))
          expect(spansToRestore(history, moment, { paths: ["d"] })).toEqual(naivePlan(history, moment, ["d"]))
        }
      }
    }),
    { numRuns: 150 },
  )
})

test("a move costs what it leaves: snapshots from before are not read", async () => {
  const it = await scene()
  for (let n = 0; n < 50; n++) await it.round("a")
  const last = await it.round("b")
  const { history } = it.session
  const read = vi.spyOn(history, "record")
  expect(names(spansToRestore(history, { before: it.row(last.prompt) }).takeBack)).toBe("b")
  expect(Math.min(...read.mock.calls.map(([row]) => row))).toBeGreaterThanOrEqual(it.row(last.prompt))
})
