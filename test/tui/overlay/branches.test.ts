import { expect, test } from "vitest"
import { openBranches } from "../../../src/tui/overlay/branch-list.ts"
import { openDiff } from "../../../src/tui/overlay/files/diff.ts"
import { openOperations } from "../../../src/tui/overlay/tree/operations.ts"
import { makeTestHost } from "../../test-host.ts"
import { until } from "../../within.ts"
import { expectContained, HOSTILE, makeStage } from "./stage.ts"

async function threeBranches() {
  const { open, root } = makeTestHost()
  const { session } = await open()
  await session.send({ text: "say one" })
  await session.send({ text: "say two" })
  await session.goto("@2")
  await session.send({ text: "say other" })
  await session.send({ text: "say more of the other" })
  await session.goto("@1")
  await session.send({ text: "create new.txt with a new beginning" })
  return { session, root }
}

test("tips are listed with their last message, age and size; the one we are on is marked", async () => {
  const { session } = await threeBranches()
  const stage = makeStage({ now: Date.now() + 7_200_000 })
  void openBranches(stage, session)
  expect(stage.screen(60, 14)).toMatchInlineSnapshot(`
    "
    Branches
    ────────────────────────────────────────────────────────────
    Your last prompt on each, newest first            3 branches
    ›   2h  head create new.txt with a new beginning  4 messages
        2h  say more of the other                     4 messages
        2h  say two                                   2 messages


    ────────────────────────────────────────────────────────────
    agent  2h ago
    Created new.txt.

    Enter switch to it · Tab compare · type to search
    ↑↓ choose · Esc leave
    "
  `)
  expect(stage.screen(80, 9)).toMatchInlineSnapshot(`
    "
    Branches
    ────────────────────────────────────────────────────────────────────────────────
    Your last prompt on each, newest first                                3 branches
    ›   2h  head create new.txt with a new beginning                      4 messages
        2h  say more of the other                                         4 messages
        2h  say two                                                       2 messages


    Enter switch to it · Tab compare · type to search · ↑↓ choose · Esc leave
    "
  `)
  expect(stage.screen(120, 9)).toMatchInlineSnapshot(`
    "
    Branches
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Your last prompt on each, newest first                                                                        3 branches
    ›   2h  head create new.txt with a new beginning           4 messages │ agent  2h ago
        2h  say more of the other                              4 messages │ Created new.txt.
        2h  say two                                            2 messages │
                                                                          │
                                                                          │
    Enter switch to it · Tab compare · type to search · ↑↓ choose · Esc leave
    "
  `)
})

test("Enter switches to a branch", async () => {
  const { session } = await threeBranches()
  const stage = makeStage({ now: Date.now() })
  const went = openBranches(stage, session)
  stage.press("enter")
  await until(() => stage.screen().includes("You are already on this branch."))
  stage.press("more of", "enter")
  expect(await went).toMatchObject({ answer: { outcome: "moved", kind: "goto" }, did: "Switched to another branch" })
  expect(session.history.round(session.head)).toBe(3)
})

test("a head that is not a tip is on the newest branch that continues from it", async () => {
  const { session } = await threeBranches()
  const tip = session.history.tips()[1] as number
  await session.goto(session.history.id(tip))
  await session.back()
  const stage = makeStage({ now: Date.now() })
  void openBranches(stage, session)
  expect(stage.screen(80, 9)).toMatchInlineSnapshot(`
    "
    Branches
    ────────────────────────────────────────────────────────────────────────────────
    Your last prompt on each, newest first                                3 branches
    ›  now  create new.txt with a new beginning                           4 messages
       now  you are on it say more of the other                           4 messages
       now  say two                                                       2 messages


    Enter switch to it · Tab compare · type to search · ↑↓ choose · Esc leave
    "
  `)
})

test("the diff view shows what changed since the last prompt, and scrolls", async () => {
  const { session } = await threeBranches()
  const stage = makeStage()
  const left = openDiff(stage, session)
  expect(stage.screen()).toContain("One moment…")
  await until(() => stage.screen().includes("new.txt"))
  expect(stage.screen(80, 8)).toMatchInlineSnapshot(`
    "
    Changes since the last prompt                                             1 file
    ────────────────────────────────────────────────────────────────────────────────
    added     new.txt +1
    1 + a new beginning



    Esc leave · ↑↓ scroll · PgUp PgDn pages · Home End top, end
    "
  `)
  stage.press("escape")
  await left
  expect(stage.depth).toBe(0)
})

test("a diff that cannot be made says why", async () => {
  const { session } = await threeBranches()
  const stage = makeStage()
  void openDiff(stage, session, { from: "nowhere" }, "Nowhere")
  await until(() => stage.screen().includes('There is no entry "nowhere".'))
})

test("operations are listed newest first, with what undo and redo would do", async () => {
  const { session } = await threeBranches()
  await session.undo()
  const stage = makeStage({ now: Date.now() })
  void openOperations(stage, session.history)
  const ids = /(?:[0-9a-f]{6}|start ) → (?:[0-9a-f]{6}|start )/g
  expect(stage.screen(80, 12).replace(ids, "1a2b3c → 4d5e6f")).toMatchInlineSnapshot(`
    "
    Operations
    ────────────────────────────────────────────────────────────────────────────────
    ›  now  you    undo       1a2b3c → 4d5e6f
       now  you    round      1a2b3c → 4d5e6f  create new.txt with a new be…  ← redo
       now  you    goto       1a2b3c → 4d5e6f                                 ← undo
       now  you    round      1a2b3c → 4d5e6f  say more of the other
       now  you    round      1a2b3c → 4d5e6f  say other
       now  you    goto       1a2b3c → 4d5e6f
       now  you    round      1a2b3c → 4d5e6f  say two
       now  you    round      1a2b3c → 4d5e6f  say one

    Esc leave · ↑↓ scroll · /undo /redo undo or redo them
    "
  `)
})

test("hostile messages and file names stay within branches, operations and diffs", async () => {
  const { open } = makeTestHost()
  const { session } = await open()
  await session.send({ text: `create "a\u001b[31mb\u0007.txt" with ${HOSTILE}` })
  await session.send({ text: `say ${HOSTILE}` })
  const stage = makeStage({ colours: true })
  void openBranches(stage, session)
  expectContained(stage)
  void openOperations(stage, session.history)
  expectContained(stage)
  void openDiff(stage, session, { from: "@1" })
  await until(() => !stage.screen().includes("One moment"))
  expectContained(stage)
})
