// What a problem advises is a request to this API, or a command of the shell.
import { expect, test } from "vitest"
import type { AdviceStep } from "../../src/model/failure/failure.ts"
import { apiAdvice } from "../../src/server/answer/api-advice.ts"
import { ROUTES } from "../../src/server/routes/all-routes.ts"
import { serve } from "./test-server.ts"

const STEPS: [AdviceStep, string][] = [
  [{ do: "back" }, "POST /api/sessions/ID/back"],
  [{ do: "undo" }, "POST /api/sessions/ID/undo"],
  [{ do: "goto", entry: "@1" }, 'POST /api/sessions/ID/goto {"entry":"@1"}'],
  [{ do: "goto", entry: "@1", files: "restore" }, 'POST /api/sessions/ID/goto {"entry":"@1","files":"restore"}'],
  [{ do: "omit", entry: "abc" }, 'POST /api/sessions/ID/omit {"entry":"abc"}'],
  [{ do: "split" }, "POST /api/sessions/ID/split"],
  [{ do: "split", entry: "abc" }, 'POST /api/sessions/ID/split {"entry":"abc"}'],
  [{ do: "split", session: "/a/file.jsonl", to: "retcon" }, "POST /api/sessions/ID/split"],
  [{ do: "model" }, 'POST /api/sessions/ID/model {"model":"NAME"}'],
  [{ do: "model", name: "practice" }, 'POST /api/sessions/ID/model {"model":"practice"}'],
  [{ do: "think", level: "low" }, 'POST /api/sessions/ID/thinking {"level":"low"}'],
  [{ do: "log" }, "GET /api/sessions/ID/tree"],
  [{ do: "show" }, "GET /api/sessions/ID/context"],
  [{ do: "ops" }, "GET /api/sessions/ID/operations"],
  [{ do: "diff", entry: "a b" }, "GET /api/sessions/ID/diff?from=a%20b"],
  [{ do: "attempts", way: "list" }, "GET /api/sessions/ID/attempts"],
  [{ do: "attempts", way: "resume" }, "POST /api/sessions/ID/attempts/finish"],
  [{ do: "attempts", way: "clean" }, "POST /api/sessions/ID/attempts/clean"],
  [{ do: "doctor" }, "GET /api/sessions/ID/doctor"],
  [{ do: "sessions" }, "GET /api/sessions"],
  [{ do: "resume", session: "ID" }, "POST /api/sessions/ID/converse"],
]

test.each(STEPS)("%j is a request to an existing endpoint", (step, words) => {
  expect(apiAdvice(["Do this: ", step])).toBe(`Do this: ${words}`)
  const [method, address = "", body] = words.split(" ")
  const path = address.replace("/ID", "/{id}").replace(/\?.*/, "").replace("/api", "")
  const route = ROUTES.find((each) => each.method === method?.toLowerCase() && each.path === path)
  expect(route?.path).toBe(path)
  if (body !== undefined) expect(route?.body?.safeParse(JSON.parse(body)).success).toBe(true)
})

test.each<[AdviceStep, string]>([
  [{ do: "files", choice: "keep" }, '"files":"keep"'],
  [{ do: "resolve", choice: "ours" }, '"onConflict":"ours"'],
  [{ do: "even-if-running" }, '"evenIfRunning":true'],
])("%j is a field that each move accepts", (step, field) => {
  expect(apiAdvice([step])).toBe(field)
  const back = ROUTES.find(({ name }) => name === "back")
  expect(back?.body?.safeParse(JSON.parse(`{${field}}`)).success).toBe(true)
})

test.each<[AdviceStep, string]>([
  [{ do: "restore-session", id: "abc" }, "retcon rm --restore abc (in a shell)"],
  [{ do: "restore-kept", id: "abc" }, "retcon keep --restore abc (in a shell)"],
  [{ do: "open-file", file: "FILE" }, "retcon -r FILE (in a shell)"],
  [{ do: "import", file: "FILE" }, "retcon import FILE (in a shell)"],
  [{ do: "moved", folder: "/a b" }, "retcon moved '/a b' (in a shell)"],
  [{ do: "install-hooks", agent: "codex" }, "retcon hooks install codex (in a shell)"],
  [{ do: "max-steps" }, "retcon run --max-steps NUMBER (in a shell)"],
  [{ do: "config", key: "a", value: "b" }, "retcon config a b (in a shell)"],
  [{ do: "notes" }, "retcon notes (in a shell)"],
  [{ do: "gc" }, "retcon gc (in a shell)"],
])("%j has no endpoint: it is a command", (step, command) => {
  expect(apiAdvice([step])).toBe(command)
})

test("the hint of a problem is in these words, and its advice and failure are the same as data", async () => {
  const { get, post, newSession } = serve([{ text: "one" }])
  const session = await newSession()
  await post(`${session}/converse`, { text: "one", wait: true })
  expect((await post(`${session}/goto`, { entry: "nowhere" })).body).toMatchObject({
    hint: "See all entries with: GET /api/sessions/ID/tree",
    advice: ["See all entries with: ", { do: "log" }],
    failure: { code: "not-found" },
  })
  expect((await get("/api/sessions/nowhere")).body).toMatchObject({
    hint: "See all sessions with: GET /api/sessions",
    failure: { code: "not-found", what: "session" },
  })
})

test("a new session has nothing to undo, so going back in it does not advise that", async () => {
  const { post, newSession } = serve([{ text: "one" }])
  const session = await newSession()
  const hint = async () => (await post<{ hint: string }>(`${session}/back`)).body.hint
  expect(await hint()).toBe('Send a message first: POST /api/sessions/ID/converse {"text":"…"}')
  await post(`${session}/converse`, { text: "one", wait: true })
  await post(`${session}/undo`)
  await post(`${session}/redo`)
  await post(`${session}/goto`, { entry: null })
  expect(await hint()).toContain("Undo the last move with: POST /api/sessions/ID/undo")
  expect((await post(`${session}/undo`)).status).toBe(200)
})
