// Undo and redo of whatever was done last, with every choice, give back the files bit for bit.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { entries, prompts } from "../../src/history/tree/tree.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import type { MoveOptions } from "../../src/session/operations/move.ts"
import type { Session } from "../../src/session/session.ts"
import { anyEdit, type Edit, edit, SHARED } from "../workspace/edits.ts"
import { picture } from "../workspace/folder.ts"
import { anyCall, type Call, makeRepository, playCalls, playRound } from "./files-play.ts"
import { checkpointDraft } from "./new-session.ts"

const RUNS = Number(process.env.RETCON_TEST_RUNS ?? 25)

type Choice = Pick<MoveOptions, "files" | "onConflict" | "keep" | "onlyCertain">
type Kind =
  | "back"
  | "goto"
  | "goto-prompt"
  | "start"
  | "undo"
  | "redo"
  | "restore"
  | "restore-paths"
  | "revert"
  | "bring"
type Doing =
  | { do: "round"; calls: Call[] }
  /** The agent goes back to its last checkpoint, with the files or without them, and continues. */
  | { do: "backtrack"; files: boolean; pick: number; calls: Call[] }
  | { do: "person"; edits: Edit[] }
  | { do: "reopen" }
  | { do: "move"; kind: Kind; pick: number; rounds: number; paths: string[]; choice: Choice; inverse: Inverse }
/** How the inverse is asked for, and where to stay then: there, back again, or forth again. */
type Inverse = { asked: "default" | "restore"; stay: "none" | "inverse" | "again" }

const path = fc.constantFrom(...SHARED)
const choice: fc.Arbitrary<Choice> = fc.record(
  {
    files: fc.constantFrom("restore" as const, "restore" as const, "restore" as const, "keep" as const),
    onConflict: fc.constantFrom("theirs" as const, "ours" as const, "write-conflicts" as const),
    keep: fc.array(path, { minLength: 1, maxLength: 2 }),
    onlyCertain: fc.boolean(),
  },
  { requiredKeys: [] },
)
const calls = fc.array(anyCall, { minLength: 1, maxLength: 2 })
const kinds: Kind[] = [
  "back",
  "goto",
  "goto-prompt",
  "start",
  "undo",
  "undo",
  "redo",
  "redo",
  "restore",
  "restore-paths",
  "revert",
  "bring",
]
const anyDoing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("round" as const), calls }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("backtrack" as const), files: fc.boolean(), pick: fc.nat(9), calls }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("person" as const),
      edits: fc.array(anyEdit(SHARED), { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      kind: fc.constantFrom(...kinds),
      pick: fc.nat(9),
      rounds: fc.integer({ min: 1, max: 2 }),
      paths: fc.array(path, { minLength: 1, maxLength: 2 }),
      choice,
      inverse: fc.record({
        asked: fc.constantFrom("default" as const, "restore" as const),
        stay: fc.constantFrom("none" as const, "inverse" as const, "again" as const),
      }),
    }),
  },
)

interface Tried {
  inverses: number
  again: number
}

async function play(doings: readonly Doing[], configured: "keep" | "restore", tried: Tried): Promise<void> {
  const project = makeRepository()
  let session = await project.open(undefined, configured)
  const files = () => picture(project.root, { without: [".git"] })
  const state = () => ({ head: session.head, files: files() })
  await playRound(session, project.root, [])
  for (const [i, doing] of doings.entries()) {
    if (doing.do === "round") await roundWithCheckpoint(session, project.root, doing.calls)
    else if (doing.do === "person") for (const each of doing.edits) edit(project.root, each, `P${i};\n`)
    else if (doing.do === "reopen") {
      await session.close()
      session = await project.open(session.id, configured)
    } else if (doing.do === "backtrack") await backtrack(session, project.root, doing)
    else await moveAndBack(doing)
  }

  async function moveAndBack(doing: Extract<Doing, { do: "move" }>): Promise<void> {
    const before = state()
    const done = await move(session, doing)
    if (done?.outcome !== "moved") {
      expect(state()).toEqual(before)
      return
    }
    const { asked, stay } = doing.inverse
    const [inverse, forth] = doing.kind === "undo" ? (["redo", "undo"] as const) : (["undo", "redo"] as const)
    // Asking for the files is no inverse of a move that left them alone.
    const how = asked === "default" || done.filesMode === "keep" ? {} : { files: "restore" as const }
    const after = state()
    if (stay === "none") return
    expect((await session[inverse](how)).outcome).toBe("moved")
    expect(state()).toEqual(before)
    tried.inverses++
    if (stay === "inverse") return
    expect((await session[forth](how)).outcome).toBe("moved")
    expect(state()).toEqual(after)
    tried.again++
  }
}

function move(session: Session, doing: Extract<Doing, { do: "move" }>): Promise<MoveResult | undefined> {
  const { kind, choice } = doing
  const { history } = session
  const all = kind === "goto-prompt" ? history.tips().flatMap((tip) => prompts(history, tip)) : [...entries(history)]
  const target = history.id(all[doing.pick % all.length] as number)
  const { files: _, ...restore } = choice
  switch (kind) {
    case "back":
      return session.back({ ...choice, rounds: doing.rounds })
    case "undo":
    case "redo":
      return session[kind](choice)
    case "start":
      return session.goto(null, choice)
    case "goto":
    case "goto-prompt":
      return session.goto(target, choice)
    case "restore":
      return session.files.restore(target, restore)
    case "revert":
    case "bring":
      return session[kind]([target], restore)
    case "restore-paths":
      return session.files.restore(target, { ...restore, paths: doing.paths })
  }
}

async function backtrack(session: Session, root: string, doing: Extract<Doing, { do: "backtrack" }>): Promise<void> {
  const done = await session.backtrack({
    checkpoint: doing.pick % Math.max(1, session.nextCheckpoint()),
    note: "another way",
    ...(doing.files && { files: "restore" as const }),
  })
  if (done.outcome === "moved") await playCalls(session, root, doing.calls)
}

async function roundWithCheckpoint(session: Session, root: string, calls: Call[]): Promise<void> {
  await session.append(checkpointDraft(session))
  await playRound(session, root, calls)
}

test("undo and redo give back the files bit for bit, with every choice, from whatever was done last", {
  timeout: 3_600_000,
}, async () => {
  const tried: Tried = { inverses: 0, again: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyDoing, { minLength: 8, maxLength: 20 }),
      fc.constantFrom("keep" as const, "restore" as const),
      (doings, configured) => play(doings, configured, tried),
    ),
    { numRuns: RUNS },
  )
  expect(Math.min(tried.inverses, tried.again)).toBeGreaterThan(RUNS / 4)
})
