// The list of sessions, by project.
import { expect, test } from "vitest"
import type { SessionListing } from "../../src/protocol/shapes.ts"
import { underWay } from "../../web/open/under-way.ts"
import { projectsOf } from "../../web/sessions/groups.ts"

function session(title: string, cwd: string, more: Partial<SessionListing> = {}): SessionListing {
  const known = { id: title as SessionListing["id"], agent: "retcon", file: undefined, prompts: 1, branches: 1 }
  return { ...known, title, cwd, updated: "", bytes: 1, archived: false, ...more }
}

const told = (sessions: SessionListing[], words = "") =>
  projectsOf(sessions, words).map(({ name, sessions: own }) => `${name}: ${own.map(({ title }) => title).join(", ")}`)

test("by folder, the newest first; two of one name are told apart", () => {
  const all = [session("a", "/w/shop"), session("b", "/x/blog"), session("c", "/w/shop"), session("d", "/y/blog")]
  expect(told(all)).toEqual(["shop: a, c", "x/blog: b", "y/blog: d"])
})

test("sub-agents' and archived ones are left out", () => {
  const from = { session: "x" as SessionListing["id"], entry: null, as: "task" as const }
  expect(told([session("a", "/w", { from }), session("b", "/w", { archived: true })])).toEqual([])
})

test("every word must be in the title, the folder or the agent's name", () => {
  const all = [session("Parse CSV", "/w/shop"), session("Parse XML", "/w/shop", { agent: "claude-code" })]
  expect(told(all, "parse shop")).toEqual(["shop: Parse CSV, Parse XML"])
  expect(told(all, "PARSE claude code")).toEqual(["shop: Parse XML"])
  expect(told(all, "json")).toEqual([])
})

test("those that wait come before those that run, and no others are under way", () => {
  const all = [
    session("a", "/w", { turn: "running" }),
    session("b", "/w"),
    session("c", "/w", { turn: "waiting" }),
    session("d", "/w", { turn: "waiting", archived: true }),
  ]
  expect(underWay(all).map(({ title }) => title)).toEqual(["c", "a"])
})
