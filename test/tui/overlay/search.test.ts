import { expect, test } from "vitest"
import type { EntryId, SessionId } from "../../../src/model/id.ts"
import type { FindAnswer, FoundSession } from "../../../src/protocol/library.ts"
import { openSearch, type SearchDeps } from "../../../src/tui/overlay/sessions/search.ts"
import { nothingFound } from "../../nothing-found.ts"
import { until } from "../../within.ts"
import { expectContained, HOSTILE, makeStage } from "./stage.ts"

const NOW = Date.parse("2026-03-01T12:00:00.000Z")

function found(n: number, changes: Partial<FoundSession> = {}): FoundSession {
  const hit = { at: new Date(NOW).toISOString(), onPath: true, marks: [[8, 17]] as [number, number][] }
  return {
    session: `01890a5d-ac96-7000-8000-00000000000${n}` as SessionId,
    agent: "claude-code",
    file: undefined,
    project: "/project",
    title: `Session ${n}`,
    updated: new Date(NOW - n * 3_600_000).toISOString(),
    score: 9 - n,
    words: { heartbeat: 1 },
    together: true,
    hits: [
      { ...hit, entry: `e${n}a` as EntryId, short: "4f2a91", where: "you", text: "Why the heartbeat is late" },
      {
        ...hit,
        entry: `e${n}b` as EntryId,
        short: "77b0c3",
        where: "agent",
        text: "Now the heartbeat is sent",
        onPath: false,
      },
    ],
    copies: [],
    resume: ["claude", "--resume", "a5b8"],
    ...changes,
  }
}

async function opened(changes: Partial<SearchDeps> = {}) {
  const stage = makeStage({ now: NOW })
  const asked: [string, string][] = []
  const picked = openSearch(stage, {
    words: "",
    async find(text, scope) {
      asked.push([text, scope])
      const none: FindAnswer = await nothingFound()
      return text.startsWith("heart") ? { ...none, sessions: [found(1), found(2)], total: 2 } : none
    },
    preview: async ({ title }, { where }) => `${title}, ${where}: all that was said there`,
    ...changes,
  })
  return { stage, picked, asked }
}

test("what is typed is searched in all sessions, with the words marked and a preview of the place", async () => {
  const { stage, picked, asked } = await opened()
  stage.press("heart")
  await until(() => stage.screen(80, 18).includes("all that was said there"))
  expect(stage.screen(80, 18)).toMatchInlineSnapshot(`
    "
    Search  in the sessions of this directory
    ────────────────────────────────────────────────────────────────────────────────
    Search: heart▏                                                        2 sessions
    ›   1h  Claude Code Session 1
            you     Why the heartbeat is late
            agent   abandoned Now the heartbeat is sent
        2h  Claude Code Session 2
            you     Why the heartbeat is late
            agent   abandoned Now the heartbeat is sent


    ────────────────────────────────────────────────────────────────────────────────
    Claude Code, /project, claude --resume a5b8
    Session 1, you: all that was said there


    Enter open · Ctrl+G go there · Ctrl+S split there · Ctrl+R resume in its agent
    Tab here or all · Esc leave
    "
  `)
  expect(asked).toEqual([["heart", "here"]])
  stage.press("tab")
  await until(() => asked.length === 2 && stage.screen(80, 18).includes("2 sessions"))
  expect(asked[1]).toEqual(["heart", "all"])
  stage.press("down", "down", "enter")
  expect(await picked).toMatchObject({ outcome: "open", session: { title: "Session 1" }, hit: { where: "agent" } })
})

test.each([
  ["Ctrl+G", "goto", "\x07"],
  ["Ctrl+S", "split", "\x13"],
  ["Ctrl+R", "resume", "\x12"],
] as const)("%s at a session: %s, at its best place", async (_, outcome, key) => {
  const { stage, picked } = await opened({ words: "heartbeat" })
  await until(() => stage.screen(80, 18).includes("2 sessions"))
  stage.press("down", "down", "down", key)
  expect(await picked).toMatchObject({ outcome, session: { title: "Session 2" }, hit: { entry: "e2a" } })
})

test("nothing found, a search that fails, and texts that would control the terminal", async () => {
  const { stage } = await opened({ words: "zebra" })
  await until(() => stage.screen(80, 18).includes("Nothing here. Tab searches everywhere."))
  const failing = await opened({ words: "since:soon", find: () => Promise.reject(new Error("That is not a time.")) })
  await until(() => failing.stage.screen(80, 18).includes("That is not a time."))
  const hostile = found(1, { title: HOSTILE, hits: found(1).hits.map((hit) => ({ ...hit, text: HOSTILE })) })
  const controlled = await opened({
    words: "heartbeat",
    find: async () => ({ ...(await nothingFound()), sessions: [hostile], total: 1 }),
    preview: async () => HOSTILE,
  })
  await until(() => controlled.stage.screen(80, 18).includes("1 session"))
  expectContained(controlled.stage)
})
