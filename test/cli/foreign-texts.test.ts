// What commands that change or count say of another agent's session: they work, or refuse with a reason and the next step.
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { Bench } from "./bench.ts"
import { PI_NAME, putPiSession } from "./pi-session.ts"

const SAMPLES = join(import.meta.dirname, "../formats")

let bench: Bench
let file: string
beforeEach(() => {
  bench = new Bench()
  file = putPiSession(bench)
})

function putSample(from: string, to: string): void {
  const path = join(bench.folder, "person", to)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(join(SAMPLES, from), path, { recursive: true })
}

test("compact refuses before any model is asked, and says where it can be compacted", async () => {
  const before = readFileSync(file)
  const { exit, err } = await bench.run(["compact", "-s", PI_NAME, "--model", "practice"])
  expect(exit).toBe(1)
  expect(err).toContain("This session belongs to pi, and retcon adds no messages to it.")
  expect(err).toContain("Compact it in pi, or compact a copy of your own: retcon split -s 553265 --to retcon")
  expect(readFileSync(file)).toEqual(before)
})

test("ops offers no undo where the agent follows none", async () => {
  const session = join(SAMPLES, "opencode/samples/export.json")
  const { out } = await bench.run(["ops", "-s", session], { width: 120 })
  expect(out).toContain("u1 hello")
  expect(out).not.toContain("← undo")
  expect(out).toContain("opencode does not follow retcon's moves: go back in a copy with: retcon split ENTRY")
  const json = (await bench.run(["ops", "-s", session, "--json"])).json() as { next: string | null }[]
  expect(json.every(({ next }) => next === null)).toBe(true)
})

test("ops offers undo where the agent follows it", async () => {
  putSample("claude-code/samples/plain-3turns.v2.1.119.jsonl", ".claude/projects/-work/aa14b154.jsonl")
  const [claude] = (await bench.run(["ls", "--all", "--agent", "claude", "--json"])).json() as { id: string }[]
  expect((await bench.run(["ops", "-s", claude?.id ?? ""])).out).toContain("← undo")
})

describe("cost", () => {
  test("adds up what the answers of another agent cost, including those of its sub-agents", async () => {
    putSample("codex/samples/sub-agent", ".codex/sessions/2026/11/15")
    const session = readdirSync(join(SAMPLES, "codex/samples/sub-agent")).sort()[0]?.slice(28, 64) ?? ""
    const cost = (await bench.run(["cost", "-s", session, "--json"])).json() as Record<string, unknown>
    expect(cost).toMatchObject({ tasks: 1, requests: 5, input: 500, output: 50, directory: { sessions: 2 } })
    const { out } = await bench.run(["cost", "-s", session])
    expect(out).toContain("with 1 task")
    expect(out).toContain("This directory: 2 sessions of Codex, 5 requests, cost not known.")
  })

  test("takes the prices of a model that is named without its provider, and says that they are the API's", async () => {
    putSample("claude-code/samples/plain-3turns.v2.1.119.jsonl", ".claude/projects/-work/aa14b154.jsonl")
    const [claude] = (await bench.run(["ls", "--all", "--agent", "claude", "--json"])).json() as { id: string }[]
    const { out } = await bench.run(["cost", "-s", claude?.id ?? ""])
    expect(out).toMatch(/claude-sonnet-4-6 +3 .*\$0\.0003/)
    expect(out).toContain("At API prices; a subscription is priced differently.")
  })
})

test("ls says what it looked for if nothing matches", async () => {
  const none = async (...words: string[]) => (await bench.run(["ls", ...words], { width: 200 })).out.trim()
  expect(await none("--path", "nope.txt")).toBe(
    "There are no sessions in this directory that mention nope.txt. For all directories, add --all.",
  )
  expect(await none("--all", "--path", "nope.txt")).toBe("There are no sessions that mention nope.txt.")
  expect(await none("--agent", "codex", "--since", "7d")).toBe(
    "There are no sessions of Codex in this directory that were used in the last 7d. For all directories, add --all.",
  )
})
