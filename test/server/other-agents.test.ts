// Another agent's session through the same endpoints.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession } from "../cli/claude-session.ts"
import { serve } from "./test-server.ts"

async function claude() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-theirs-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const changes = {
    store: testStore(join(folder, "home"), join(folder, "person"), () => Date.now()),
    program: () => ({ missing: "Claude Code is not installed here." }),
  }
  const at = serve([{ text: "our answer" }], {}, changes)
  const { file } = putClaudeSession({ folder, cwd: at.root })
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

test("where its program is not installed it says so, and a copy of it continues with our agent", async () => {
  const { get, post, session } = await claude()
  expect((await get(session)).body).toMatchObject({
    agent: "claude-code",
    access: { can: "move", because: "Claude Code is not installed here." },
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
