import { rmSync } from "node:fs"
import { expect, test } from "vitest"
import { serve } from "./test-server.ts"

async function threeSessions() {
  const at = serve(Array.from({ length: 3 }, (_, i) => ({ text: `answer ${i + 1}` })))
  for (let i = 0; i < 3; i++) await at.post(`${await at.newSession()}/converse`, { text: `session ${i}`, wait: true })
  const list = async (query: string) =>
    (await at.get<{ sessions: { id: string; file: string }[]; next: string | null }>(`/api/sessions?${query}`)).body
  return { ...at, list }
}

test.each([
  "zzz",
  "",
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:00.000Z zzz",
  "0199c0de-0000-7000-8000-000000000000",
])("a list after %j, which no page has named: the answer says what to pass, and has no page", async (after) => {
  const { get } = serve()
  expect(await get(`/api/sessions?after=${encodeURIComponent(after)}`)).toMatchObject({
    status: 400,
    body: {
      code: "invalid",
      detail: "after: pass the `next` of the previous page as it is, or leave it out for the first page",
    },
  })
})

test("a page continues where the one before ended, even if that session was deleted meanwhile", async () => {
  const { list } = await threeSessions()
  const [newest, middle, oldest] = (await list("")).sessions
  const first = await list("limit=2")
  expect(first.sessions.map(({ id }) => id)).toEqual([newest?.id, middle?.id])
  rmSync(middle?.file ?? "")
  const rest = await list(`limit=2&after=${encodeURIComponent(first.next ?? "")}`)
  expect(rest).toMatchObject({ sessions: [{ id: oldest?.id }], next: null })
  expect((await list("")).sessions.map(({ id }) => id)).toEqual([newest?.id, oldest?.id])
})

test("rows from beyond the last one: the answer says how many there are", async () => {
  const { get, server, request, newSession } = serve()
  const session = await newSession()
  const { size, generation } = (await get(session)).body
  for (const query of ["from=9999", `from=9999&generation=${generation}`]) {
    expect(await get(`${session}/rows?${query}`)).toMatchObject({
      status: 400,
      body: { code: "invalid", detail: "There is no row 9999: the session has only 1 row.", size, generation },
    })
  }
  const none = await server.fetch(request("GET", `${session}/rows?from=${size}`))
  expect([none.status, none.headers.get("retcon-size")]).toEqual([200, String(size)])
  expect(await get(`${session}/rows?from=9999&generation=other`)).toMatchObject({
    status: 409,
    body: { code: "changed" },
  })
})
