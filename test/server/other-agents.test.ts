// Another agent's session through the same endpoints.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import type { Cli } from "../../src/cli/port/cli.ts"
import { examineOpen } from "../../src/cli/tui/doctor-page.ts"
import type { SessionId } from "../../src/model/id.ts"
import { withClaude } from "../app/claude-host.ts"
import { CLAUDE_RECORDS, WAITS_FOR_A_STOP } from "../programs/fake-claude.ts"
import { serve } from "./test-server.ts"

async function claude(body?: string) {
  const { deps, put } = withClaude(body)
  const at = serve([{ text: "our answer" }], {}, deps)
  const file = put(at.root)
  const { sessions } = (await at.get<{ sessions: { id: SessionId; agent: string }[] }>("/api/sessions")).body
  return { ...at, file, sessions, session: `/api/sessions/${sessions[0]?.id}` }
}

test("it is listed, read and moved in; its file only grows by the move", async () => {
  const { get, post, sessions, session, file } = await claude()
  expect(sessions).toMatchObject([{ agent: "claude-code" }])
  const before = readFileSync(file, "utf8")
  const messages = async () => (await get(`${session}/messages`)).body.messages.length
  const count = await messages()
  expect(count).toBeGreaterThan(2)
  expect((await post(`${session}/back`, { evenIfRunning: true })).body).toMatchObject({ outcome: "moved" })
  expect(await messages()).toBeLessThan(count)
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true)
})

test("its lines are not taken for damaged lines of ours, whoever asks", async () => {
  const { get, host, sessions, session } = await claude()
  const open = await host.open(sessions[0]?.id as SessionId)
  const { findings, prompts, lines = [] } = await open.doctor()
  expect([findings, prompts.path > 0, lines.length > 2]).toEqual([[], true, true])
  expect((await get(`${session}/doctor`)).body).toMatchObject({ findings, prompts, lines })
  const shown = await examineOpen({ out: { colours: false } } as Cli, open)
  expect(shown(80)).toEqual([expect.stringContaining("All good")])
  await open.close()
})

test("where its program is not installed it says so, and a copy of it continues with our agent", async () => {
  const { get, post, session, file } = await claude()
  expect((await get(session)).body).toMatchObject({
    agent: "claude-code",
    access: {
      can: "move",
      because: "Claude Code is not installed here.",
      failure: { code: "read-only", path: file, because: "foreign" },
    },
  })
  const refused = await post(`${session}/converse`, { text: "go on" })
  expect([refused.status, refused.body.code]).toEqual([409, "read-only"])
  expect(refused.body.advice).toContainEqual(expect.objectContaining({ do: "split" }))
  const copy = (await post<{ session: string }>(`${session}/split`, {})).body.session
  const went = await post(`/api/sessions/${copy}/converse`, { text: "go on", wait: true })
  expect(went.body).toMatchObject({ outcome: "done", text: "our answer" })
})

test("where nothing can be said, a message that says where it continues from moves nothing either", async () => {
  const { get, post, session, file } = await claude()
  const before = [(await get(`${session}/messages`)).body, readFileSync(file, "utf8")]
  const refused = await post(`${session}/converse`, { text: "go on", from: "@1" })
  expect([refused.status, refused.body.code]).toEqual([409, "read-only"])
  expect([(await get(`${session}/messages`)).body, readFileSync(file, "utf8")]).toEqual(before)
})

test("a message to its program is answered at once, with the number of its turn, before the program has done anything", async () => {
  const { post, session } = await claude(WAITS_FOR_A_STOP)
  const begun = await post(`${session}/converse`, { text: "go on" })
  expect([begun.status, begun.body]).toEqual([202, { turn: expect.any(Number), entry: null, steers: false }])
  expect((await post(`${session}/stop`, {})).body).toMatchObject({ stopped: true })
})

test("so is one whose events are streamed", async () => {
  const { server, request, post, session } = await claude(WAITS_FOR_A_STOP)
  const accept = { accept: "text/event-stream" }
  const response = await server.fetch(request("POST", `${session}/converse`, { text: "go on" }, accept))
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/event-stream"),
  ])
  await post(`${session}/stop`, {})
  expect(await response.text()).toContain("event: end")
})

const HEARS = `${CLAUDE_RECORDS}; answer("I heard " + prompt); end()`

test("a new one begins with a message, and its program answers at once, whoever follows", async () => {
  const { post, get, root } = await claude(HEARS)
  const made = await post("/api/sessions", { cwd: root, agent: "claude-code", prompt: { text: "first of all" } })
  expect(made).toMatchObject({ status: 201, body: { agent: "claude-code" } })
  const texts = async () => JSON.stringify((await get(`/api/sessions/${made.body.id}/messages`)).body.messages)
  await expect.poll(texts).toContain("I heard first of all")
  const wrong = [
    { cwd: root, agent: "claude-code" },
    { cwd: root, prompt: { text: "for nobody" } },
    { cwd: root, agent: "nobody", prompt: { text: "x" } },
  ]
  for (const body of wrong) expect(await post("/api/sessions", body)).toMatchObject({ status: 400 })
})

test("what its program offers can be asked for and chosen; of a session of ours there is nothing", async () => {
  const { get, post, session, root } = await claude(HEARS)
  expect((await get(`${session}/offers`)).body).toMatchObject({ offers: { modes: [{ id: "default" }, {}, {}] } })
  await post(`${session}/choose`, { what: "mode", value: "plan" })
  expect((await get(session)).body.status).toMatchObject({ program: { mode: "plan" } })
  expect(await post(`${session}/choose`, { what: "model", value: "" })).toMatchObject({ status: 400 })
  const own = (await post("/api/sessions", { cwd: root })).body.id
  expect((await get(`/api/sessions/${own}/offers`)).body).toEqual({ offers: null })
})

test("each agent that a session can be begun with is listed, with what is missing", async () => {
  const { get, root } = await claude()
  const { agents } = (await get<{ agents: { agent: string; missing?: string }[] }>(`/api/agents?cwd=${root}`)).body
  expect(agents.map(({ agent }) => agent).sort()).toEqual([
    "claude-code",
    "codex",
    "gemini-cli",
    "kimi-code",
    "opencode",
    "pi",
  ])
  for (const { missing } of agents) expect(missing ?? "Install it with: ").toContain("Install it with: ")
})
