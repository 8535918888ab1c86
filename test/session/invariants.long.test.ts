// The invariants of a session (ARCHITECTURE.md), each as a property over random sequences of appends and moves.
import { appendFileSync, readFileSync, statSync } from "node:fs"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { contextAt } from "../../src/history/context/context.ts"
import type { ContextMessage } from "../../src/history/context/message.ts"
import { planUndo } from "../../src/history/plan/plan-undo.ts"
import { entries, entryId, isOnPath, path, prompts } from "../../src/history/tree/tree.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import type { Part } from "../../src/model/record/record.ts"
import { LEFT_OUT_KEY } from "../../src/model/record/state-key.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import { anyCommands, type Command, lines, makeStore, type StoreName } from "./new-session.ts"
import { Play } from "./play.ts"

/** Plays random commands in a store of this kind, and hands the session over after each. */
async function always(
  name: StoreName,
  numRuns: number,
  look: (play: Play, command: Command | undefined) => void | Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      const { store, remove } = makeStore(name)
      const play = await Play.begin(store)
      try {
        await look(play, undefined)
        for (const command of commands) {
          await play.step(command)
          play.learnIds()
          await look(play, command)
        }
      } finally {
        await play.session.close()
        remove()
      }
    }),
    { numRuns },
  )
}

function fileOf(session: Session): string {
  return session.log.file ?? ""
}

/** All that a model and a person see of a session. */
function view(session: Session): unknown {
  const { history, headRow } = session
  return {
    head: session.head,
    path: path(history, headRow).map((row) => history.id(row)),
    prompts: prompts(history, headRow).map((row) => history.id(row)),
    context: JSON.stringify(session.context({ checkpoints: "shown" })),
    labels: [...session.labels()],
    config: [...session.config()],
    tips: history.tips(),
  }
}

test("invariant 1: opening never writes to the log", async () => {
  await always("file", 12, async ({ session, store, parts }, command) => {
    if (command?.do !== "reopen" && command?.do !== "undo") return
    const file = fileOf(session)
    const before = [readFileSync(file), statSync(file, { bigint: true }).mtimeNs]
    const other = await openSession(store, session.id, parts)
    view(other)
    await other.undo({ dryRun: true })
    await other.close()
    expect([readFileSync(file), statSync(file, { bigint: true }).mtimeNs]).toEqual(before)
  })
})

test("invariant 2: nothing appended is ever changed or removed", async () => {
  let before: Buffer = Buffer.alloc(0)
  let id = ""
  await always("file", 15, ({ session }, command) => {
    if (command === undefined) id = ""
    const bytes = readFileSync(fileOf(session))
    if (session.id === id) expect(bytes.subarray(0, before.length).equals(before)).toBe(true)
    before = bytes
    id = session.id
  })
})

test("invariant 3: a move of the head is a record, and undo takes every move back, also after a restart", async () => {
  await always("memory", 40, async (play, command) => {
    if (!["back", "goto", "start", "retract", "backtrack", "compact"].includes(command?.do ?? "")) return
    const { store, parts, session } = play
    const last = session.history.record(session.history.size - 1)
    if (last?.type !== "operation" || last.kind === "undo" || last.kind === "redo") return
    const reopened = await openSession(store, session.id, parts)
    expect(reopened.head).toBe(last.head.to)
    const planned = planUndo(reopened.history, reopened.headRow)
    expect(planned.ok && entryId(reopened.history, planned.plan.to)).toBe(last.head.from)
    await reopened.close()
  })
})

test("invariant 3: undoing all and redoing all leads through the same heads, also after a restart", async () => {
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      const play = await Play.begin(makeStore("memory").store)
      for (const command of [...commands, { do: "reopen" } as const]) {
        await play.step(command)
        play.learnIds()
      }
      const { session, store, parts } = play
      const heads = [session.head]
      while ((await session.undo()).outcome === "moved") heads.push(session.head)
      expect(session.head).toBeNull()
      await session.close()
      const reopened = await openSession(store, session.id, parts)
      for (const head of heads.slice(0, -1).toReversed()) {
        await reopened.redo()
        expect(reopened.head).toBe(head)
      }
      await reopened.close()
    }),
    { numRuns: 40 },
  )
})

const GARBAGE = ["not json", "{}", '{"id":"x"}', "\u0000\u0000", "{", "[1]", '"', "\ufeff{}", "x".repeat(300)]

test("invariant 4: what cannot be read is kept byte for byte, reported with its line, and never fatal", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyCommands, fc.constantFrom(...GARBAGE), fc.boolean()), { minLength: 1, maxLength: 3 }),
      async (parts) => {
        const { store, remove } = makeStore("file")
        const play = await Play.begin(store)
        try {
          for (const [commands, garbage, torn] of parts) {
            const plain = commands.filter((command) => command.do !== "split").slice(0, 6)
            for (const command of plain) {
              await play.step(command)
              play.learnIds()
            }
            const file = fileOf(play.session)
            const before = readFileSync(file)
            appendFileSync(file, torn ? garbage : `${garbage}\n`)
            await play.step({ do: "prompt" })
            await play.check()
            await play.step({ do: "reopen" })
            await play.check()
            const after = readFileSync(file)
            expect(after.subarray(0, before.length).equals(before)).toBe(true)
            expect(after.subarray(before.length).toString("utf8").startsWith(`${garbage}\n`)).toBe(true)
            const line = before.toString("utf8").split("\n").length - 1
            expect(Buffer.from(play.session.log.line(line)).toString("utf8")).toBe(garbage)
            expect(play.session.log.problem(line)).toMatch(/\w/)
          }
        } finally {
          await play.session.close()
          remove()
        }
      },
    ),
    { numRuns: 10 },
  )
})

/** Roles and parts one after the other, so that what is attached to a message comes after it. */
function flat(messages: readonly ContextMessage[]): string[] {
  return messages.flatMap(({ role, content }) => [role, ...content.map((part) => JSON.stringify(part))])
}

test("invariant 5: same records, same head: same context, byte for byte", async () => {
  await always("memory", 12, async ({ session, store, parts }) => {
    const other = await openSession(store, session.id, parts)
    for (const row of entries(session.history)) {
      const checkpoints = "shown" as const
      expect(JSON.stringify(contextAt(other.history, row, { checkpoints }))).toBe(
        JSON.stringify(contextAt(session.history, row, { checkpoints })),
      )
    }
    await other.close()
  })
})

test("invariant 5: what follows an entry leaves the context up to it as it was", async () => {
  await always("memory", 25, ({ session: { history, headRow } }) => {
    const whole = flat(contextAt(history, headRow, { checkpoints: "shown" }))
    let later = new Set<string>()
    for (const row of path(history, headRow).reverse()) {
      const record = history.record(row)
      const text = flat(contextAt(history, row, { checkpoints: "shown" }))
      const open = text.join().includes("was interrupted")
      const changed = ["compaction", "system", LEFT_OUT_KEY].some((key) => later.has(key))
      if (!changed && !open) expect(whole.slice(0, text.length)).toEqual(text)
      later = new Set(later).add(record?.type === "state" ? record.key : (record?.type ?? ""))
    }
  })
})

test("invariant 6: an id names the same entry forever, and no other", async () => {
  const first = new Map<string, string>()
  await always("memory", 15, ({ session }, command) => {
    if (command === undefined) first.clear()
    const seen = new Set<string>()
    for (const row of entries(session.history)) {
      const id = session.history.id(row)
      const line = Buffer.from(session.log.line(row)).toString("utf8")
      const key = `${session.id} ${id}`
      expect(first.get(key) ?? line).toBe(line)
      expect([seen.has(id), session.resolve(id), session.history.rowOf(id)]).toEqual([false, id, row])
      first.set(key, line)
      seen.add(id)
    }
  })
})

test("invariant 7: what is a prompt follows from its origin alone, here and after reopening", async () => {
  const anyMessage = fc.record({
    type: fc.constant("message" as const),
    role: fc.constantFrom(...ROLES),
    origin: fc.constantFrom(...ORIGINS),
    turn: fc.boolean(),
    content: fc.boolean().map((said): Part[] => (said ? [{ type: "text", text: "the same words" }] : [])),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyMessage, { minLength: 1, maxLength: 12 }),
      fc.constantFrom("memory", "file"),
      async (messages, name) => {
        const { store, remove } = makeStore(name)
        const { session, parts } = await Play.begin(store)
        const ids = await session.append(messages)
        await session.close()
        const reopened = await openSession(store, session.id, parts)
        const expected = ids.filter((_, at) => {
          const { role, origin, turn } = messages[at] ?? {}
          return role === "user" && (origin === "prompt" || (origin === "command" && turn === true))
        })
        for (const { history, headRow } of [session, reopened]) {
          expect(prompts(history, headRow).map((row) => history.id(row))).toEqual(expected)
        }
        await reopened.close()
        remove()
      },
    ),
    { numRuns: 40 },
  )
})

test("invariant 8: state is where the path says, and consent never comes back with a move", async () => {
  const consent = ["mode", "allow"]
  let before: unknown[] = []
  await always("memory", 25, async ({ session, store, parts }, command) => {
    const now = consent.map((key) => session.config().get(key))
    if (command !== undefined && command.do !== "config" && command.do !== "split") expect(now).toEqual(before)
    before = now
    const onPath = path(session.history, session.headRow).flatMap((row) => {
      const record = session.history.record(row)
      return record?.type === "state" ? [record] : []
    })
    for (const key of ["todos", "model", "system"]) {
      expect(session.state(key)).toEqual(onPath.findLast((record) => record.key === key)?.value)
    }
    if (command?.do !== "config" || session.history.tips().length === 0) return
    const { session: split } = await session.split()
    expect(consent.map((key) => split.config().get(key))).toEqual([undefined, undefined])
    const opened = await openSession(store, split.id, parts)
    expect(consent.map((key) => opened.config().get(key))).toEqual([undefined, undefined])
    await opened.close()
    await split.close()
  })
})

test("invariant 11: after a turn was stopped nothing of it can append, and every call on the path has its result", async () => {
  await always("memory", 40, async (play, command) => {
    await play.step({ do: "late" })
    if (command?.do !== "stop" && command?.do !== "begin") return
    const recorded = path(play.session.history, play.session.headRow).flatMap((row) => {
      const record = play.session.history.record(row)
      return record?.type === "message" ? [{ role: record.role, content: record.content }] : []
    })
    if (command.do === "stop" && play.stopped) {
      const last = recorded.findLastIndex(({ role }) => role !== "tool")
      const calls = recorded[last]?.content.flatMap((part) => (part.type === "tool-call" ? [part.call] : [])) ?? []
      const results = recorded.slice(last + 1).flatMap(({ content }) => content)
      for (const call of calls)
        expect(results.some((part) => part.type === "tool-result" && part.call === call)).toBe(true)
    }
  })
})

test("invariant 12: two writers lose nothing, and what they write side by side becomes branches", async () => {
  const anyAct = fc.tuple(
    fc.nat(1),
    fc.constantFrom("prompt", "answer", "back", "undo", "redo", "label", "config", "goto"),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAct, { minLength: 2, maxLength: 30 }),
      fc.constantFrom("memory", "file"),
      async (acts, name) => {
        const { store, remove } = makeStore(name)
        const { session: first, parts } = await Play.begin(store, "own")
        const second = await openSession(store, first.id, parts)
        const writers = [first, second]
        const made: { id: string; after: string | null }[] = []
        const config = new Map<string, string>()
        for (const [who, act] of acts) {
          const session = writers[who] ?? first
          const after = session.head
          if (act === "prompt" || act === "answer") {
            const role = act === "prompt" ? ("user" as const) : ("assistant" as const)
            const [id = ""] = await session.append({
              type: "message",
              role,
              origin: act === "prompt" ? "prompt" : "agent",
              content: [{ type: "text", text: `${who}` }],
            })
            made.push({ id, after })
          } else if (act === "label") {
            if (after !== null) await session.label(after, `label ${who}`)
          } else if (act === "config") {
            config.set(`key ${who}`, `value ${made.length}`)
            await session.configure(`key ${who}`, `value ${made.length}`)
          } else if (act === "goto") await session.goto(made[0]?.id ?? null)
          else await session[act]()
          session.log.refresh()
          expect(made.every(({ id }) => session.history.rowOf(id) < session.history.size)).toBe(true)
        }
        await Promise.all(writers.map((session) => session.close()))
        const reopened = await openSession(store, first.id, parts)
        const { history } = reopened
        expect([...entries(history)].map((row) => history.id(row))).toEqual(made.map(({ id }) => id))
        for (const { id, after } of made) {
          const record = history.record(history.rowOf(id))
          expect(record !== undefined && "parent" in record && record.parent).toBe(after)
          if (after !== null) expect(isOnPath(history, history.rowOf(after), history.rowOf(id))).toBe(true)
        }
        expect(Object.fromEntries(reopened.config())).toEqual(Object.fromEntries(config))
        for (let row = 0; row < history.size; row++) expect(reopened.log.problem(row)).toBeUndefined()
        expect(lines(reopened).length).toBe(history.size)
        await reopened.close()
        remove()
      },
    ),
    { numRuns: 40 },
  )
})
