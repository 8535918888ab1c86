import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { EntryId } from "../../../src/model/id.ts"
import { openTree } from "../../../src/tui/overlay/tree/tree.ts"
import { makeTestHost } from "../../test-host.ts"
import { until } from "../../within.ts"
import { expectContained, HOSTILE, makeStage } from "./stage.ts"

/** Two branches: one was left after its second round; and one round that a sub-agent worked for. */
async function twoBranches() {
  const parts = makeTestHost()
  const { session } = await parts.open()
  await session.send({ text: "create a.txt with hello" })
  await session.send({ text: "create wrong.txt with a mistake" })
  await session.send({ text: "say it is getting worse" })
  await session.goto("@2", { files: "restore" })
  await session.send({ text: "create right.txt with a plan" })
  await session.send({ text: "delegate: create sub.txt with from below" })
  return { ...parts, session }
}

type Opened = Awaited<ReturnType<typeof twoBranches>>

async function tree({ session, host, root }: Opened) {
  const stage = makeStage({ now: Date.now() + 3 * 60_000 })
  const result = openTree(stage, session, { sessions: async () => (await host.list({ cwd: root })).sessions })
  await until(() => stage.screen(120).includes("(task "))
  const screen = (width: number, height: number) =>
    stage
      .screen(width, height)
      .replace(/task [0-9a-f]{6}/g, "task 1a2b3c")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "01a1e1a8-0000-7000-8000-000000000000")
  return { stage, result, screen }
}

test("the whole tree is a graph: the head, branches that were left, sub-agents, and a preview", async () => {
  const { screen } = await tree(await twoBranches())
  expect(screen(60, 18)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                     2 branches
    ────────────────────────────────────────────────────────────
    ›   3m  ● head (task 1a2b3c) @3 delegate: creat…  4 messages
        3m  ○ @2 create right.txt with a plan         4 messages
        3m  │ ○ say it is getting worse               2 messages
        3m  │ ○ create wrong.txt with a mistake       4 messages
            ├─╯
        3m  ○ @1 create a.txt with hello              4 messages


    ────────────────────────────────────────────────────────────
    agent  3m ago
    Task create sub.txt with from below:
    Created sub.txt.
    …
    Enter go there · Esc leave · / search · Tab filter
    Space fold · l label · s split · d diff · c compare
    p take it · b bring it · r take back files · o operations
    "
  `)
  expect(screen(80, 18)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                                         2 branches
    ────────────────────────────────────────────────────────────────────────────────
    ›   3m  ● head (task 1a2b3c) @3 delegate: create sub.txt wi…  4 messages, 1 call
        3m  ○ @2 create right.txt with a plan                     4 messages, 1 call
        3m  │ ○ say it is getting worse                                   2 messages
        3m  │ ○ create wrong.txt with a mistake                   4 messages, 1 call
            ├─╯
        3m  ○ @1 create a.txt with hello                          4 messages, 1 call


    ────────────────────────────────────────────────────────────────────────────────
    agent  3m ago
    Task create sub.txt with from below:
    Created sub.txt.
    …
    Enter go there · Esc leave · / search · Tab filter · Space fold · l label
    s split · d diff · c compare · p take it · b bring it · r take back files
    o operations · f go with files… · C mark, to compare with
    "
  `)
  expect(screen(120, 12)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                                                                                 2 branches
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    ›   3m  ● head (task 1a2b3c) @3 delegate: create…  4 messages, 1 call │ agent  3m ago
        3m  ○ @2 create right.txt with a plan          4 messages, 1 call │ Task create sub.txt with from below:
        3m  │ ○ say it is getting worse                        2 messages │ Created sub.txt.
        3m  │ ○ create wrong.txt with a mistake        4 messages, 1 call │
            ├─╯                                                           │ [Sub-agent 01a1e1a8-0000-7000-8000-000000000000:
        3m  ○ @1 create a.txt with hello               4 messages, 1 call │ name it in "resume" to continue it.]
                                                                          │
                                                                          │
    Enter go there · Esc leave · / search · Tab filter · Space fold · l label · s split · d diff · c compare · p take it
    b bring it · r take back files · o operations · f go with files… · C mark, to compare with
    "
  `)
})

test("Tab shows all entries, then those with a label", async () => {
  const opened = await twoBranches()
  await opened.session.label("@1", "the start")
  const { stage, screen } = await tree(opened)
  stage.press("tab")
  expect(screen(80, 30)).toMatchInlineSnapshot(`
    "
    Tree  all entries                                                     2 branches
    ────────────────────────────────────────────────────────────────────────────────
    ›   3m  ● head Task create sub.txt with from below: Created sub.txt. [Sub-agent…
        3m  ○ checkpoint 5
        3m  ○ task: create sub.txt with from below → 3 lines, 103 B
        3m  ○ (task 1a2b3c) Giving this to a sub-agent.
        3m  ○ checkpoint 4
        3m  ○ @3 delegate: create sub.txt with from below
        3m  ○ Created right.txt.
        3m  ○ checkpoint 3
        3m  ○ write: right.txt → Created right.txt (1 line).
        3m  ○ Writing right.txt.
        3m  ○ checkpoint 2
        3m  ○ @2 create right.txt with a plan
        3m  │ ○ it is getting worse
        3m  │ ○ checkpoint 4
        3m  │ ○ say it is getting worse
        3m  │ ○ Created wrong.txt.
    ────────────────────────────────────────────────────────────────────────────────
    agent  3m ago
    Task create sub.txt with from below:
    Created sub.txt.

    [Sub-agent 01a1e1a8-0000-7000-8000-000000000000: name it in "resume" to continue
    it.]


    Enter go there · Esc leave · / search · Tab filter · Space fold · l label
    s split · d diff · c compare · p take it · b bring it · r take back files
    o operations · f go with files… · C mark, to compare with
    "
  `)
  stage.press("tab")
  expect(screen(80, 8)).toMatchInlineSnapshot(`
    "
    Tree  labelled entries                                                2 branches
    ────────────────────────────────────────────────────────────────────────────────
    ›   3m  ○ [the start] create a.txt with hello




    Enter go there · Esc leave · / search · Tab filter · Space fold · l label
    "
  `)
})

test("a branch is folded and opened again", async () => {
  const { stage, screen } = await tree(await twoBranches())
  stage.press("down", "down")
  expect(stage.screen(80, 8)).toContain("› ")
  stage.press("left")
  expect(screen(80, 9)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                                         2 branches
    ────────────────────────────────────────────────────────────────────────────────
        3m  ● head (task 1a2b3c) @3 delegate: create sub.txt wi…  4 messages, 1 call
        3m  ○ @2 create right.txt with a plan                     4 messages, 1 call
    ›   3m  ├─╴ folded: create wrong.txt with a mistake                   6 messages
        3m  ○ @1 create a.txt with hello                          4 messages, 1 call


    Enter go there · Esc leave · / search · Tab filter · Space fold · l label
    "
  `)
  stage.press("right")
  expect(stage.screen(80, 9)).toContain("say it is getting worse")
})

test("Enter goes to the end of a round on another branch", async () => {
  const { session, ...rest } = await twoBranches()
  const { stage, result } = await tree({ session, ...rest })
  stage.press("down", "down", "enter")
  expect(await result).toMatchObject({ outcome: "moved", answer: { outcome: "moved", kind: "goto" } })
  expect(session.history.round(session.head)).toBe(3)
})

test("Enter where the head is says so and stays", async () => {
  const { stage } = await tree(await twoBranches())
  stage.press("enter")
  await until(() => stage.screen().includes("You are already there."))
})

test("Enter on a prompt brings its text back", async () => {
  const { stage, result } = await tree(await twoBranches())
  stage.press("/", "getting worse", "enter", "tab")
  await until(() => stage.screen(80, 30).includes("all entries"))
  stage.press("/", "say it is getting worse", "end", "enter")
  stage.press("enter")
  expect(await result).toMatchObject({ outcome: "moved", text: "say it is getting worse" })
})

test("l labels the entry under the cursor, and an empty label removes it", async () => {
  const { session, ...rest } = await twoBranches()
  const { stage } = await tree({ session, ...rest })
  stage.press("l", "good place", "enter")
  await until(() => stage.screen().includes("[good place]"))
  expect([...session.labels().values()]).toEqual(["good place"])
  stage.press("l", "ctrl+u", "enter")
  await until(() => session.labels().size === 0)
})

test("s splits the conversation up to here into a new session", async () => {
  const { host, ...rest } = await twoBranches()
  const { stage, result } = await tree({ host, ...rest })
  stage.press("down", "down", "s")
  const split = await result
  expect(split).toMatchObject({ outcome: "split" })
  const copy = split?.outcome === "split" ? await host.open(split.session) : undefined
  expect(copy?.history.round(copy.head)).toBe(3)
  await copy?.close()
})

test("d shows what the head's files have that the entry's did not, o what was done", async () => {
  const { stage } = await tree(await twoBranches())
  stage.press("end", "d")
  await until(() => stage.screen().includes("right.txt"))
  expect(stage.screen(60, 16).replace(/From [0-9a-f]{6}/, "From 1a2b3c")).toMatchInlineSnapshot(`
    "
    From 1a2b3c to the head                              2 files
    ────────────────────────────────────────────────────────────
    added     right.txt +1
    added     sub.txt +1

    right.txt
    1 + a plan

    sub.txt
    1 + from below





    Esc leave · ↑↓ scroll · PgUp PgDn pages · Home End top, end
    "
  `)
  stage.press("escape", "o")
  const ids = /[0-9a-f]{6} → [0-9a-f]{6}/g
  expect(
    stage
      .screen(80, 12)
      .replace(ids, "1a2b3c → 4d5e6f")
      .replace(/start +→ [0-9a-f]{6}/, "start  → 4d5e6f"),
  ).toMatchInlineSnapshot(`
    "
    Operations
    ────────────────────────────────────────────────────────────────────────────────
    ›   3m  you    round      1a2b3c → 4d5e6f  delegate: create sub.txt wit…  ← undo
        3m  you    round      1a2b3c → 4d5e6f  create right.txt with a plan
        3m  you    goto       1a2b3c → 4d5e6f
        3m  you    round      1a2b3c → 4d5e6f  say it is getting worse
        3m  you    round      1a2b3c → 4d5e6f  create wrong.txt with a mistake
        3m  you    round      start  → 4d5e6f  create a.txt with hello



    Esc leave · ↑↓ scroll · /undo /redo undo or redo them
    "
  `)
  stage.press("escape")
  expect(stage.depth).toBe(1)
})

test("f goes there with the files", async () => {
  const { session, ...rest } = await twoBranches()
  const { stage, result } = await tree({ session, ...rest })
  stage.press("down", "down", "f")
  await until(() => stage.screen(120).includes("changes 3 files"))
  stage.press("enter")
  expect(await result).toMatchObject({ outcome: "moved", answer: { filesMode: "restore" } })
})

test("search finds entries of all branches, and Enter shows the entry in the tree", async () => {
  const { stage } = await tree(await twoBranches())
  stage.press("/", "wrong.txt")
  expect(stage.screen(80, 14)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                                         2 branches
    ────────────────────────────────────────────────────────────────────────────────
    Search: wrong.txt▏                                                       3 found
    ›   3m  ○ Created wrong.txt.
        3m  ○ Writing wrong.txt.
        3m  ○ create wrong.txt with a mistake



    ────────────────────────────────────────────────────────────────────────────────
    agent  3m ago
    Created wrong.txt.

    Enter show it in the tree · ↑↓ choose · Esc back to the tree
    "
  `)
  stage.press("enter")
  expect(stage.screen(80, 14)).toMatch(/› .*create wrong\.txt/)
})

test("a backtrack's note and what it discards are in the tree", async () => {
  const { open, root } = makeTestHost()
  for (let i = 0; i < 8; i++) writeFileSync(join(root, `file${i}.txt`), `fact ${i}\n`)
  const { session } = await open()
  await session.send({ text: "explore" })
  const stage = makeStage({ now: Date.now() })
  void openTree(stage, session)
  expect(stage.screen(80, 8)).toMatchInlineSnapshot(`
    "
    Tree  prompts                                                         2 branches
    ────────────────────────────────────────────────────────────────────────────────
    ›  now  ● head note, discards 8: I read 8 files: file0.txt, file1.tx…  1 message
       now  │ ○ I am the practice model: a few fixed rules, n…  8 messages, 10 calls
            ├─╯
       now  ○ @1 explore                                                   1 message

    Enter go there · Esc leave · / search · Tab filter · Space fold · l label
    "
  `)
  stage.press("end")
  expect(stage.screen(80, 20)).toMatch(/─\nyou {2}just now\nexplore\n/)
})

test("the tree follows what is appended while it is open", async () => {
  const { session, ...rest } = await twoBranches()
  const { stage } = await tree({ session, ...rest })
  await session.send({ text: "say one more" })
  expect(stage.screen(80, 12)).toContain("say one more")
})

test("hostile text and labels stay on their line and within the screen", async () => {
  const { open } = makeTestHost()
  const { session } = await open()
  await session.send({ text: `say ${HOSTILE}` })
  const entry = session.history.id(session.head) as EntryId
  const labelled = Object.assign(Object.create(session), { labels: () => new Map([[entry, HOSTILE]]) })
  const stage = makeStage({ now: Date.now(), colours: true })
  void openTree(stage, labelled)
  expectContained(stage)
  stage.press("tab")
  expectContained(stage)
})
