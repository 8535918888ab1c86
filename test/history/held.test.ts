// Which of the agent's changes the files hold, from the log alone: windows and moves without any file.
import { expect, test } from "vitest"
import { filesPlan, held, type Moment } from "../../src/history/held.ts"
import type { Window } from "../../src/history/windows.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { FilesMove, SnapshotRecord, WritableRecord } from "../../src/model/record.ts"
import { answerDraft, promptDraft } from "../../src/session/draft.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { systemParts } from "../../src/session/system.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"

const { ids, now } = systemParts()

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

  /** Opens a window; what it answers closes it. */
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

  async moved(files: Partial<FilesMove>, undoes?: string): Promise<string> {
    const id = ids.record()
    const head = { from: this.session.head, to: this.session.head }
    await this.#append({
      id,
      type: "operation",
      at: now(),
      kind: undoes === undefined ? "restore" : "undo",
      by: "person",
      head,
      files: { from: "f", to: "t", restore: id, ...files },
      ...(undoes === undefined ? {} : { undoes: undoes as never }),
    })
    return id
  }

  held(): string {
    return names(held(this.session.history))
  }

  plan(moment: Moment): string {
    const { takeBack, bringAgain } = filesPlan(this.session.history, moment)
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

function names(all: readonly Window[]): string {
  return all.map(({ changes }) => changes.map(({ path }) => path).join("+")).join(" ")
}

test("a restore leads to how the files were before a prompt, not to what the path changed", async () => {
  const it = await scene()
  await it.round("a")
  const two = await it.round("b")
  await it.moved({ before: two.prompt })
  const three = await it.round("c")
  expect(it.held()).toBe("a c")
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
  expect(it.held()).toBe("a b c")
})

test("undoing a restore of some paths brings back those alone", async () => {
  const it = await scene()
  const one = await it.round("a", "b")
  await it.round("c")
  await it.moved({ before: one.prompt })
  const some = await it.moved({ entry: one.answer, paths: ["a"] })
  expect(it.held()).toBe("a")
  await it.moved({}, some)
  expect(it.held()).toBe("")
})

test("what a restore kept is still in the files", async () => {
  const it = await scene()
  const one = await it.round("a", "b")
  await it.moved({ before: one.prompt, kept: [{ path: "b", steps: [0] }] })
  expect(it.held()).toBe("b")
  expect(it.plan({ entry: it.row(one.answer) })).toBe("+a")
})

test("an edit while a command runs is taken back once, with the command's part before and after it", async () => {
  const it = await scene()
  const { answer, prompt } = await it.round()
  const close = await it.open(answer, "command")
  await (await it.open(answer, "edit", ["a"]))("a")
  await close("a", "b")
  expect(it.held()).toBe("a b a a")
  expect(it.plan({ before: it.row(prompt) })).toBe("-a -a -b -a")
})

test("a window in which files were moved is nobody's", async () => {
  const it = await scene()
  const one = await it.round("a")
  const close = await it.open(one.answer, "late")
  await it.moved({ before: one.prompt })
  await close("a", "b")
  expect(it.held()).toBe("")
})
