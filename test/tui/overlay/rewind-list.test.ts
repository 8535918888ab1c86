import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Model, ModelEvent, StepRequest } from "../../../src/provider/port/port.ts"
import { practiceModel } from "../../../src/provider/practice/practice.ts"
import { openRewind } from "../../../src/tui/overlay/move/rewind-list.ts"
import { makeTestHost, scriptedModel } from "../../test-host.ts"
import { until } from "../../within.ts"
import type { Stage } from "./stage.ts"
import { makeStage } from "./stage.ts"

async function* never(): AsyncGenerator<ModelEvent> {
  await new Promise(() => undefined)
  yield { type: "text-start" }
}

/** The way with a summary was chosen, and asks for what is left. */
function asksForSummary({ messages }: StepRequest): boolean {
  return JSON.stringify(messages.at(-1)).includes("going back to an earlier point")
}

/** Three rounds: a file made, one by a shell command, one edited. */
async function threeRounds() {
  const test = makeTestHost()
  const { session } = await test.open()
  await session.send({ text: "create a.txt with hello" })
  await session.send({ text: "run echo more > b.txt" })
  await session.send({ text: "create c.txt with third" })
  return { ...test, session }
}

function uncoveredHost() {
  const covered = makeTestHost()
  return makeTestHost({
    openWorkspace: async (cwd, id) => {
      const workspace = await covered.parts.openWorkspace(cwd, id)
      return new Proxy(workspace, {
        get: (target, name) =>
          name === "unavailable" ? { reason: "git is not installed" } : Reflect.get(target, name),
      })
    },
  })
}

async function rewound(session: Awaited<ReturnType<typeof threeRounds>>["session"]) {
  const stage = makeStage({ now: Date.now() + 5 * 60_000 })
  const went = openRewind(stage, session)
  await until(() => stage.screen().includes("a.txt +1"))
  return { stage, went }
}

/** The dry runs of all four ways are there. */
async function planned(stage: Stage): Promise<void> {
  await until(() => stage.depth === 2 && stage.screen(120).includes("summarised"))
}

/** How many tokens that is depends on the tools and the prompt of the day. */
function drawn(stage: Stage, width: number, height: number): string {
  return stage.screen(width, height).replace(/about [\d,]+ tokens/g, "about N tokens")
}

test("the person's prompts are listed newest first, with age and what each round changed", async () => {
  const { session } = await threeRounds()
  const { stage } = await rewound(session)
  await until(() => stage.screen().includes("c.txt +1"))
  expect(stage.screen(60, 10)).toMatchInlineSnapshot(`
    "
    Rewind
    ────────────────────────────────────────────────────────────
    Your prompts, newest first                         3 prompts
    ›   5m  create c.txt with third                     c.txt +1
        5m  run echo more > b.txt                       b.txt +1
        5m  create a.txt with hello                     a.txt +1



    Enter go back to it · type to search · ↑↓ choose · Esc leave
    "
  `)
  expect(stage.screen(80, 8)).toMatchInlineSnapshot(`
    "
    Rewind
    ────────────────────────────────────────────────────────────────────────────────
    Your prompts, newest first                                             3 prompts
    ›   5m  create c.txt with third                                         c.txt +1
        5m  run echo more > b.txt                                           b.txt +1
        5m  create a.txt with hello                                         a.txt +1

    Enter go back to it · type to search · ↑↓ choose · Esc leave
    "
  `)
  expect(stage.screen(120, 8)).toMatchInlineSnapshot(`
    "
    Rewind
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Your prompts, newest first                                                                                     3 prompts
    ›   5m  create c.txt with third                                                                                 c.txt +1
        5m  run echo more > b.txt                                                                                   b.txt +1
        5m  create a.txt with hello                                                                                 a.txt +1

    Enter go back to it · type to search · ↑↓ choose · Esc leave
    "
  `)
})

test("Enter offers four ways, each with what it would do", async () => {
  const { session } = await threeRounds()
  const { stage } = await rewound(session)
  stage.press("down", "enter")
  await planned(stage)
  expect(drawn(stage, 60, 16)).toMatchInlineSnapshot(`
    "
    Go back to: run echo more > b.txt                     5m ago
    ────────────────────────────────────────────────────────────
    › Conversation and files  leaves 8 messages, changes 2 files
      Conversation only                        leaves 8 messages
      Files only                                 changes 2 files
      Conversation, with a summary of what you leave
    ────────────────────────────────────────────────────────────
    8 messages left behind; nothing is lost.
    Prompt cache: keeps 5 messages, about N tokens.
      deleted   b.txt −1
      deleted   c.txt −1




    Enter go · ↑↓ choose · Space choose files · Esc back
    "
  `)
  expect(drawn(stage, 80, 16)).toMatchInlineSnapshot(`
    "
    Go back to: run echo more > b.txt                                         5m ago
    ────────────────────────────────────────────────────────────────────────────────
    › Conversation and files                      leaves 8 messages, changes 2 files
      Conversation only                  leaves 8 messages, 2 files stay as they are
      Files only                                                     changes 2 files
      Conversation, with a summary of what you leave   leaves 8 messages, summarised
    ────────────────────────────────────────────────────────────────────────────────
    8 messages left behind; nothing is lost.
    Prompt cache: keeps 5 messages, about N tokens.
      deleted   b.txt −1
      deleted   c.txt −1




    Enter go · ↑↓ choose · Space choose files · Esc back
    "
  `)
  expect(drawn(stage, 120, 16)).toMatchInlineSnapshot(`
    "
    Go back to: run echo more > b.txt                                                                                 5m ago
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    › Conversation and files                                                              leaves 8 messages, changes 2 files
      Conversation only                                                          leaves 8 messages, 2 files stay as they are
      Files only                                                                                             changes 2 files
      Conversation, with a summary of what you leave                                           leaves 8 messages, summarised
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    8 messages left behind; nothing is lost.
    Prompt cache: keeps 5 messages, about N tokens.
      deleted   b.txt −1
      deleted   c.txt −1




    Enter go · ↑↓ choose · Space choose files · Esc back
    "
  `)
})

test("conversation and files: the head and the files go back, the text comes into the editor", async () => {
  const { session, root } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("down", "enter")
  await planned(stage)
  stage.press("enter")
  expect(await went).toMatchObject({ way: "both", text: "run echo more > b.txt", answer: { outcome: "moved" } })
  expect([existsSync(join(root, "b.txt")), existsSync(join(root, "c.txt"))]).toEqual([false, false])
  expect(session.history.round(session.head)).toBe(1)
})

test("conversation only: the files stay", async () => {
  const { session, root } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("down", "enter")
  await planned(stage)
  stage.press("down", "enter")
  expect(await went).toMatchObject({ way: "conversation", text: "run echo more > b.txt" })
  expect(existsSync(join(root, "b.txt"))).toBe(true)
})

test("files only: the conversation stays, and nothing goes into the editor", async () => {
  const { session, root } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("down", "enter")
  await planned(stage)
  stage.press("down", "down", "enter")
  expect(await went).toMatchObject({ way: "files", text: undefined, answer: { kind: "restore" } })
  expect(session.history.round(session.head)).toBe(3)
  expect(existsSync(join(root, "c.txt"))).toBe(false)
})

test("with a summary: a note about what is left is at the new head", async () => {
  const { session } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("down", "enter")
  await planned(stage)
  stage.press("up", "enter")
  expect(stage.screen()).toContain("The model is summarising what you leave behind…")
  expect(await went).toMatchObject({ way: "summary", text: "run echo more > b.txt" })
  expect(session.history.record(session.head)).toMatchObject({ type: "note" })
})

test("a summary that takes too long is stopped with Esc: nothing was moved", async () => {
  const practice = practiceModel()
  const hangs: Model = {
    ...practice,
    step: (request) => (asksForSummary(request) ? never() : practice.step(request)),
  }
  const { open } = makeTestHost({ model: async () => hangs })
  const { session } = await open()
  await session.send({ text: "say one" })
  const { head } = session
  const stage = makeStage({ now: Date.now() })
  void openRewind(stage, session)
  stage.press("enter")
  await planned(stage)
  stage.press("up", "enter")
  await until(() => stage.screen().includes("Esc stops it."))
  stage.press("escape")
  await until(() => stage.screen().includes("stopped"))
  expect(session.head).toBe(head)
  stage.press("escape")
  expect(stage.depth).toBe(1)
})

test("Enter before a way's dry run is there takes that way once it is", async () => {
  const { session, root } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("enter")
  await until(() => stage.depth === 2)
  stage.press("enter")
  expect(stage.screen()).toContain("Working out what would change…")
  expect(await went).toMatchObject({ way: "both", text: "create c.txt with third" })
  expect(existsSync(join(root, "c.txt"))).toBe(false)
})

test("such an Enter takes no other way if that one cannot be taken", async () => {
  const { open } = uncoveredHost()
  const { session } = await open()
  await session.send({ text: "create a.txt with hello" })
  const stage = makeStage({ now: Date.now() })
  void openRewind(stage, session)
  stage.press("enter")
  await until(() => stage.depth === 2)
  const { head } = session
  stage.press("enter")
  await planned(stage)
  expect(stage.screen(60, 14)).toContain("› Conversation only")
  expect(session.head).toBe(head)
})

test("the first prompt can be chosen too", async () => {
  const { session, root } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("end", "enter")
  await planned(stage)
  stage.press("enter")
  expect(await went).toMatchObject({ text: "create a.txt with hello", answer: { outcome: "moved" } })
  expect(session.history.round(session.head)).toBe(0)
  expect(existsSync(join(root, "a.txt"))).toBe(false)
})

test("a line that both changed: the whole reason is shown, and Enter asks which version to keep", async () => {
  const { session, root } = await threeRounds()
  await session.send({ text: "change hello to goodbye in a.txt" })
  writeFileSync(join(root, "a.txt"), "mine\n")
  const { stage, went } = await rewound(session)
  stage.press("enter")
  await planned(stage)
  stage.press("up")
  expect(drawn(stage, 80, 16)).toMatchInlineSnapshot(`
    "
    Go back to: change hello to goodbye in a.txt                              5m ago
    ────────────────────────────────────────────────────────────────────────────────
    › Conversation and files                         files conflict: Enter to choose
      Conversation only                     leaves 6 messages, 1 file stays as it is
      Files only                                     files conflict: Enter to choose
      Conversation, with a summary of what you leave   leaves 6 messages, summarised
    ────────────────────────────────────────────────────────────────────────────────
    You and the agent changed a.txt in the same place. Nothing was touched.
      conflict  a.txt  you and the agent changed the same lines






    Enter go · ↑↓ choose · Esc back
    "
  `)
  stage.press("enter")
  expect(drawn(stage, 60, 16)).toMatchInlineSnapshot(`
    "
    Both changed the same lines                           1 file
    ────────────────────────────────────────────────────────────
    › m  Keep mine              these lines stay as they are now
      o  Put old lines back        these lines as they were then
      b  Write both            with markers, for you to sort out
    ────────────────────────────────────────────────────────────
      conflict  a.txt  you and the agent changed the same lines
      line 1
      now  │ mine
      then │ hello




    m keep mine · o put old lines back · b write both
    Enter choose · Esc change nothing
    "
  `)
  stage.press("o")
  expect(await went).toMatchObject({ way: "both" })
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("hello")
})

test("what another session changed in the same place is attributed to it", async () => {
  const { session, open } = await threeRounds()
  await session.send({ text: "change hello to goodbye in a.txt" })
  const { session: other } = await open()
  await other.send({ text: "change goodbye to theirs in a.txt" })
  const { stage } = await rewound(session)
  stage.press("enter")
  await planned(stage)
  stage.press("up")
  const who = `session ${other.id.slice(-6)}`
  expect(stage.screen(120, 16)).toContain(`${who.replace("s", "S")} and this session changed a.txt in the same place.`)
  expect(stage.screen(120, 16)).toContain(`conflict  a.txt  ${who} and this session changed the same lines`)
})

test("typing searches in all prompts, and Esc goes back one step at a time", async () => {
  const { session } = await threeRounds()
  const { stage, went } = await rewound(session)
  stage.press("echo")
  expect(stage.screen(80, 8)).toMatchInlineSnapshot(`
    "
    Rewind
    ────────────────────────────────────────────────────────────────────────────────
    Search: echo▏                                                     1 of 3 prompts
    ›   5m  run echo more > b.txt                                           b.txt +1



    Enter go back to it · type to search · ↑↓ choose · Esc leave
    "
  `)
  stage.press("enter")
  await planned(stage)
  stage.press("escape")
  expect(stage.screen(80, 8)).toContain("Search: echo")
  stage.press("escape")
  expect(await went).toBeUndefined()
})

test("the end of a long query is shown, where you type", async () => {
  const { session } = await threeRounds()
  const { stage } = await rewound(session)
  stage.press(...Array.from({ length: 12 }, (_, i) => `word 日 ${i} `), "last")
  const [line = ""] = stage.screen(60, 8).match(/^Search: .*$/m) ?? []
  expect(line).toMatch(/^Search: ….*word 日 10 word 日 11 last▏ +0 of 3 prompts$/)
})

test("where files are not covered, the ways with files say why not", async () => {
  const { session } = await uncoveredHost().open()
  await session.send({ text: "create a.txt with hello" })
  const stage = makeStage({ now: Date.now() })
  void openRewind(stage, session)
  stage.press("enter")
  await planned(stage)
  expect(drawn(stage, 60, 14)).toMatchInlineSnapshot(`
    "
    Go back to: create a.txt with hello                 just now
    ────────────────────────────────────────────────────────────
      Conversation and files  × The files are not covered: git…
    › Conversation only                        leaves 4 messages
      Files only  × The files are not covered: git is not insta…
      Conversation, with a summary of what you leave
    ────────────────────────────────────────────────────────────
    4 messages left behind; nothing is lost.
    Prompt cache: keeps 1 message, about N tokens.




    Enter go · ↑↓ choose · Esc back
    "
  `)
})

test("a session without a prompt says so", async () => {
  const { open } = makeTestHost()
  const { session } = await open()
  const stage = makeStage()
  const went = openRewind(stage, session)
  await until(() => stage.screen(60, 6).includes("There is no prompt to go back to yet."))
  stage.press("enter", "escape")
  expect(await went).toBeUndefined()
})

test("prompts that the agent went back past are listed too, marked, and can be gone back to", async () => {
  const backtrack = { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "Only b.ts matters." } }] }
  const model = scriptedModel([{ text: "answer 1" }, { text: "answer 2" }, backtrack, { text: "answer 3" }])
  const { session } = await makeTestHost({ model: async () => model }).open()
  for (const text of ["one", "two", "three"]) await session.send({ text })
  const stage = makeStage({ now: Date.now() + 5 * 60_000 })
  const went = openRewind(stage, session)
  await until(() => stage.screen(80).includes("3 prompts"))
  expect(stage.screen(80)).toMatch(
    /three {2}\(left by the agent's Backtrack\)\s[\s\S]*two {2}\(left by the agent's Backtrack\)/,
  )
  expect(stage.screen(80)).not.toContain("one  (left")
  stage.press("enter")
  await until(() => stage.depth === 2 && stage.screen(120).includes("summarised"))
  stage.press("enter")
  expect(await went).toMatchObject({ answer: { outcome: "moved", prompt: { text: "three" } } })
})
