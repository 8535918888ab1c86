import { expect, test } from "vitest"
import type { SessionId } from "../../../src/model/id.ts"
import type { SessionListing } from "../../../src/protocol/shapes.ts"
import type { SessionListDeps } from "../../../src/tui/overlay/sessions/sessions.ts"
import { openSessions } from "../../../src/tui/overlay/sessions/sessions.ts"
import { makeTestHost } from "../../test-host.ts"
import { until } from "../../within.ts"
import { expectContained, HOSTILE, makeStage } from "./stage.ts"

const NOW = Date.parse("2026-03-01T12:00:00.000Z")

function listing(n: number, changes: Partial<SessionListing> = {}): SessionListing {
  return {
    id: `01890a5d-ac96-7000-8000-00000000000${n}` as SessionId,
    agent: "retcon",
    file: undefined,
    title: `session ${n}`,
    cwd: "/project",
    prompts: n,
    branches: 1,
    updated: new Date(NOW - n * 3_600_000).toISOString(),
    bytes: n * 12_345,
    archived: false,
    ...changes,
  }
}

const HERE = [
  listing(1, { title: "Fix the flaky test of the parser" }),
  listing(2, { title: "日本語のタイトル", branches: 3 }),
  listing(3, { title: "Port the build to a new tool", busy: true }),
  listing(4, { title: "Where is the leak?", agent: "claude-code", bytes: 4_200_000 }),
  listing(5, { title: "a task", from: { session: listing(1).id, entry: null, as: "task" } }),
  listing(6, { title: "put away", archived: true }),
  listing(7, { title: "", prompts: 0, branches: 0 }),
]

const PARTS: SessionListDeps = {
  list: async (scope) => (scope === "here" ? HERE : [...HERE, listing(8, { title: "elsewhere", cwd: "/other" })]),
  preview: async ({ title }) => `you: ${title}\nagent: It was a race.`,
  current: listing(2).id,
}

async function opened(changes: Partial<SessionListDeps> = {}) {
  const stage = makeStage({ now: NOW })
  const picked = openSessions(stage, { ...PARTS, ...changes })
  await until(() => stage.screen(80, 16).includes("race"))
  return { stage, picked }
}

test("sessions of this directory: age, title, prompts, branches, agent, size, and a preview", async () => {
  const { stage } = await opened()
  expect(stage.screen(60, 16)).toMatchInlineSnapshot(`
    "
    Sessions  of this directory
    ────────────────────────────────────────────────────────────
    Newest first; typing searches titles and conten…  4 sessions
    ›   1h  Fix the flaky test of the parser            1 prompt
        2h  this one 日本語のタイトル      2 prompts, 3 branches
        3h  open elsewhere Port the build to a new t…  3 prompts
        4h  Claude Code Where is the leak?             4 prompts



    ────────────────────────────────────────────────────────────
    retcon, 1 prompt, 1 branch, 12 KB, /project
    you: Fix the flaky test of the parser
    agent: It was a race.

    Enter open · type to search · Tab here or all · Esc leave
    "
  `)
  expect(stage.screen(80, 16)).toMatchInlineSnapshot(`
    "
    Sessions  of this directory
    ────────────────────────────────────────────────────────────────────────────────
    Newest first; typing searches titles and contents                     4 sessions
    ›   1h  Fix the flaky test of the parser                         1 prompt, 12 KB
        2h  this one 日本語のタイトル                   2 prompts, 3 branches, 25 KB
        3h  open elsewhere Port the build to a new tool             3 prompts, 37 KB
        4h  Claude Code Where is the leak?                         4 prompts, 4.2 MB



    ────────────────────────────────────────────────────────────────────────────────
    retcon, 1 prompt, 1 branch, 12 KB, /project
    you: Fix the flaky test of the parser
    agent: It was a race.

    Enter open · type to search · Tab here or all · Esc leave
    "
  `)
  expect(stage.screen(120, 12)).toMatchInlineSnapshot(`
    "
    Sessions  of this directory
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Newest first; typing searches titles and contents                                                             4 sessions
    ›   1h  Fix the flaky test of the parser              1 prompt, 12 KB │ retcon, 1 prompt, 1 branch, 12 KB, /project
        2h  this one 日本語のタイトル        2 prompts, 3 branches, 25 KB │ you: Fix the flaky test of the parser
        3h  open elsewhere Port the build to a new tool  3 prompts, 37 KB │ agent: It was a race.
        4h  Claude Code Where is the leak?              4 prompts, 4.2 MB │
                                                                          │
                                                                          │
                                                                          │
                                                                          │
    Enter open · type to search · Tab here or all · Esc leave
    "
  `)
})

test("Tab shows the sessions of all directories, and archived ones", async () => {
  const { stage, picked } = await opened()
  stage.press("tab")
  await until(() => stage.screen().includes("of all directories") && stage.screen().includes("elsewhere"))
  expect(stage.screen()).toContain("archived put away")
  stage.press("end", "enter")
  expect(await picked).toMatchObject({ outcome: "open", session: { title: "elsewhere" } })
})

test("typing searches in titles at once, and in contents as they are found", async () => {
  let tell: ((id: SessionId, excerpt: string) => void) | undefined
  const searched: string[] = []
  const { stage, picked } = await opened({
    async searchContents(text, _sessions, found, signal) {
      searched.push(text)
      tell = found
      await new Promise((ended) => signal.addEventListener("abort", ended))
    },
  })
  stage.press("leak")
  expect(stage.screen(80, 16)).toContain("Where is the leak?")
  expect(stage.screen(80, 16)).toContain("1 of 4 sessions…")
  tell?.(listing(1).id, "there is a \u001b[31mleak in the parser")
  expect(stage.screen(80, 16)).toMatchInlineSnapshot(`
    "
    Sessions  of this directory
    ────────────────────────────────────────────────────────────────────────────────
    Search: leak▏                                                   2 of 4 sessions…
        1h  Fix the flaky test of the parser  “there is a leak in…   1 prompt, 12 KB
    ›   4h  Claude Code Where is the leak?                         4 prompts, 4.2 MB





    ────────────────────────────────────────────────────────────────────────────────
    Claude Code, 4 prompts, 1 branch, 4.2 MB, /project
    …


    Enter open · type to search · Tab here or all · Esc leave
    "
  `)
  stage.press("s")
  expect(stage.screen(80, 16)).toContain("0 of 4 sessions…")
  expect(searched).toEqual(["lea", "leak", "leaks"])
  stage.press("backspace", "enter")
  expect(await picked).toMatchObject({ outcome: "open", session: { agent: "claude-code" } })
})

test("a session that is open elsewhere is reported, and a split is offered", async () => {
  const { stage, picked } = await opened()
  stage.press("port the", "enter")
  expect(stage.screen(60, 14)).toMatchInlineSnapshot(`
    "
    Sessions  of this directory
    ────────────────────────────────────────────────────────────
    Search: port the▏                            1 of 4 sessions
    ›   3h  open elsewhere Port the build to a new t…  3 prompts




    ────────────────────────────────────────────────────────────
    retcon, 3 prompts, 1 branch, 37 KB, /project
    …

    The agent is working in it elsewhere. Open a copy instead?
    Enter open a copy · Esc back
    "
  `)
  stage.press("escape")
  expect(stage.screen(80, 14)).not.toContain("split")
  stage.press("enter", "enter")
  expect(await picked).toMatchObject({ outcome: "split", session: { busy: true } })
})

test("sessions of a real host are listed and chosen", async () => {
  const { host, open, root } = makeTestHost()
  const { session } = await open()
  await session.send({ text: "say hello there" })
  const stage = makeStage({ now: Date.now() })
  const picked = openSessions(stage, {
    list: async (scope) => (await host.list(scope === "here" ? { cwd: root } : {})).sessions,
  })
  await until(() => stage.screen().includes("say hello there"))
  stage.press("enter")
  expect(await picked).toMatchObject({ outcome: "open", session: { id: session.id } })
})

test("an empty directory says so, and Esc leaves", async () => {
  const stage = makeStage()
  const picked = openSessions(stage, { list: async () => [] })
  await until(() => stage.screen().includes("There is no session in this directory."))
  stage.press("enter", "escape")
  expect(await picked).toBeUndefined()
})

test("sessions that cannot be listed are reported", async () => {
  const stage = makeStage()
  void openSessions(stage, { list: () => Promise.reject(new Error("no")) })
  await until(() => stage.screen().includes("The sessions could not be listed."))
})

test("hostile titles, directories and contents stay on their line", async () => {
  const hostile = listing(1, { title: HOSTILE, cwd: HOSTILE, agent: HOSTILE })
  const stage = makeStage({ now: NOW, colours: true })
  void openSessions(stage, { list: async () => [hostile], preview: async () => HOSTILE })
  await until(() => stage.screen(80, 14).includes("link"))
  expectContained(stage)
  stage.press("enter")
  expectContained(stage)
})
