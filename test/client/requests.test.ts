// What a client asks of the server, and what it makes of answers that are not what it wants.
import { expect, test } from "vitest"
import { ApiError, asInProcess, makeApi, orRefused } from "../../src/client/api.ts"
import { connect } from "../../src/client/connect.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"

/** A server that gives this answer, and notes what it was asked. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = []
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    asked.push({ url: String(input), init })
    return answer()
  }
  return {
    asked,
    api: makeApi({ url: "http://127.0.0.1:4180/", token: "secret", fetch }),
  }
}

const refusal = (status: number, body: object) => answering(() => new Response(JSON.stringify(body), { status })).api
const FAILURE = { code: "not-found", what: "session", name: "x" }

test("every request carries the token, and only the given parts of a query", async () => {
  const { api, asked } = answering(() => new Response("{}"))
  await api.get("sessions", { limit: 2, after: undefined, text: "a b" })
  await api.get("sessions")
  await api.post("sessions", { cwd: "/" })
  await api.post("stop")
  expect(asked.map(({ url }) => url.replace("http://127.0.0.1:4180/api/", ""))).toEqual([
    "sessions?limit=2&text=a+b",
    "sessions",
    "sessions",
    "stop",
  ])
  for (const { init } of asked) expect(init.headers).toMatchObject({ authorization: "Bearer secret" })
  expect(asked.map(({ init }) => init.body)).toEqual([undefined, undefined, '{"cwd":"/"}', "{}"])
})

test("what the server refuses is thrown with its message", async () => {
  const body = { code: "busy", detail: "A turn runs.", hint: "Stop it." }
  await expect(refusal(409, body).get("x")).rejects.toMatchObject({
    status: 409,
    code: "busy",
    hint: "Stop it.",
    message: "A turn runs.",
  })
  const words = { status: 502, code: "unexpected", hint: "", message: "The server answered with status 502." }
  await expect(answering(() => new Response("<html>", { status: 502 })).api.get("x")).rejects.toMatchObject(words)
  await expect(refusal(502, []).get("x")).rejects.toMatchObject(words)
})

test("an answer that is not JSON is reported as such", async () => {
  const { api } = answering(() => new Response("<html>"))
  await expect(api.get("x")).rejects.toThrow(/^The server's answer is not JSON: /)
})

test("without an answer, it says how to start the server; a request that was given up is no failure of the server", async () => {
  const gone = answering(() => Promise.reject(new TypeError("fetch failed")))
  await expect(gone.api.get("x")).rejects.toMatchObject({
    status: 0,
    code: "no-answer",
    hint: expect.stringContaining("retcon serve"),
  })
  const stopped = answering(() => Promise.reject(new DOMException("stopped", "AbortError")))
  await expect(stopped.api.get("x")).rejects.toMatchObject({ name: "AbortError" })
})

test("what retcon itself refuses is thrown as in process; everything else as it is", async () => {
  const own = refusal(404, { failure: FAILURE })
  await expect(asInProcess(() => own.get("x"))).rejects.toThrow(RetconError)
  await expect(asInProcess(() => refusal(404, {}).get("x"))).rejects.toThrow(ApiError)
  await expect(asInProcess(() => Promise.reject(new Error("other")))).rejects.toThrow("other")
})

test("a failure that only a newer server knows is thrown in that server's words", async () => {
  for (const failure of [{ code: "from-the-future" }, { code: "toString" }, { code: 7 }, [], "gone", null]) {
    const newer = refusal(409, { detail: "Not on a Sunday.", failure })
    for (const asked of [asInProcess(() => newer.get("x")), orRefused(() => newer.post("back"))]) {
      const error = await asked.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ message: "Not on a Sunday." })
    }
  }
})

test("a refused move is an answer, with what is in its way", async () => {
  const conflicts = [{ path: "a.txt" }]
  const ask = (body: object) => orRefused(() => refusal(409, body).post("back"))
  expect(await ask({ failure: FAILURE, conflicts })).toEqual({ outcome: "refused", failure: FAILURE, conflicts })
  expect(await ask({ failure: FAILURE })).toEqual({ outcome: "refused", failure: FAILURE })
  await expect(ask({ detail: "no failure of ours" })).rejects.toThrow("no failure of ours")
  await expect(orRefused(() => Promise.reject(new Error("other")))).rejects.toThrow("other")
})

test("a list without a limit is all of its pages, and own sessions unless all are asked for", async () => {
  const asked: string[] = []
  const pages = [
    { sessions: [{ id: "a" }, { id: "b" }], next: "b" },
    { sessions: [{ id: "c" }], next: null },
  ]
  const fetch = async (input: unknown) => {
    asked.push(String(input).split("/api/")[1] ?? "")
    return new Response(JSON.stringify(pages[asked.length - 1] ?? pages[1]))
  }
  const host = connect({ url: "http://127.0.0.1:4180", token: "t", fetch })
  const listed = await host.list({})
  expect([listed.sessions.map(({ id }) => id), listed.next]).toEqual([["a", "b", "c"], null])
  await host.list({ agents: "all", limit: 5 })
  expect(asked).toEqual([
    "sessions?agent=retcon&limit=1000",
    "sessions?agent=retcon&after=b&limit=1000",
    "sessions?limit=5",
  ])
})
