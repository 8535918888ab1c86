import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test, vi } from "vitest"
import { ORIGIN, serve, TOKEN } from "./test-server.ts"

test("without the token, or with a wrong one, nothing is answered", async () => {
  const { server } = serve()
  for (const authorization of [undefined, "Bearer wrong", `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, "Bearer "]) {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await server.fetch(new Request(`${ORIGIN}/api/sessions`, { headers }))
    expect([authorization, response.status]).toEqual([authorization, 401])
    expect(await response.json()).toMatchObject({ code: expect.stringMatching(/^(no|wrong)-token$/) })
  }
  const query = await server.fetch(new Request(`${ORIGIN}/api/sessions?token=${TOKEN}`))
  expect(query.status).toBe(401)
})

test.each(["/%61pi", "/a%70i", "/%61%70%69", "/x/../%61pi", "/%2e/%61pi", "//api", "/;/api", "/API", "/api%2f"])(
  "no spelling of an address leads to the API without the token: %s",
  async (prefix) => {
    const { server, newSession, get, post } = serve([{ text: "one" }, { text: "two" }])
    const session = await newSession()
    for (const text of ["a", "b"]) await post(`${session}/converse`, { text, wait: true })
    const before = (await get(session)).body
    for (const [method, path] of [
      ["GET", "/sessions"],
      ["GET", session.slice(4)],
      ["POST", `${session.slice(4)}/back`],
    ] as const) {
      const response = await server.fetch(new Request(`${ORIGIN}${prefix}${path}`, { method }))
      expect([path, [401, 404, 405].includes(response.status)]).toEqual([path, true])
    }
    expect((await get(session)).body).toEqual(before)
  },
)

test("another site's name that leads here is refused, for the page too", async () => {
  const { server, request } = serve()
  for (const path of ["/api/sessions", "/"]) {
    const response = await server.fetch(request("GET", path, undefined, { host: "evil.example:4180" }))
    expect([response.status, (await response.json()) as object]).toMatchObject([403, { code: "wrong-host" }])
  }
})

test("a page of another site is refused, whatever it sends", async () => {
  const { server, request } = serve()
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:9999" },
    { "sec-fetch-site": "cross-site" },
  ]
  for (const headers of foreign) {
    const response = await server.fetch(request("POST", "/api/sessions", { cwd: "/" }, headers))
    expect([headers, response.status]).toEqual([headers, 403])
  }
  const own = await server.fetch(request("GET", "/api/sessions", undefined, { origin: ORIGIN }))
  expect(own.status).toBe(200)
  expect(own.headers.get("access-control-allow-origin")).toBeNull()
})

test("every answer tells the browser to load nothing from elsewhere", async () => {
  const { server, request } = serve()
  for (const path of ["/", "/nothing", "/api/sessions", "/api/nothing"]) {
    const { headers } = await server.fetch(request("GET", path))
    const policy = headers.get("content-security-policy")
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("referrer-policy")).toBe("no-referrer")
  }
})

test("a form of another site can send nothing, even where a browser would add a token", async () => {
  const { server, request, newSession, get } = serve()
  const session = await newSession()
  const before = (await get(session)).body
  for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]) {
    const form = { "content-type": type }
    const foreign = await server.fetch(
      request("POST", `${session}/title`, { title: "x" }, { ...form, origin: "https://evil.example" }),
    )
    expect(foreign.status).toBe(403)
    const own = await server.fetch(request("POST", `${session}/title`, { title: "x" }, form))
    expect([own.status, await own.json()]).toMatchObject([415, { code: "not-json" }])
  }
  const asked = await server.fetch(
    request("OPTIONS", `${session}/title`, undefined, { origin: "https://evil.example" }),
  )
  expect(asked.status).toBe(403)
  expect(asked.headers.get("access-control-allow-methods")).toBeNull()
  expect((await get(session)).body).toEqual(before)
})

const TRAVERSALS = [
  "..",
  "../..",
  "%2e%2e",
  "..%2f..%2fetc%2fpasswd",
  "..%5c..",
  "%00",
  ".%2e%2f",
  "%252e%252e",
  "-",
  "a".repeat(5000),
]

test("no part of an address leads out of where it belongs", async () => {
  const { server, request, newSession, root } = serve([], {
    page: async (path) => ({ bytes: Buffer.from(path), type: "text/plain", fixed: false }),
  })
  writeFileSync(join(root, "secret.jsonl"), "hidden words")
  const session = await newSession()
  const paths = TRAVERSALS.flatMap((part) => [
    `/api/sessions/${part}`,
    `/api/sessions/${part}/messages`,
    `/api/sessions/${encodeURIComponent(join(root, "secret.jsonl"))}/rows`,
    `${session}/messages?before=${part}`,
    `${session}/diff?from=${part}`,
  ])
  for (const path of paths) {
    const response = await server.fetch(request("GET", path))
    const text = await response.text()
    expect([path, response.status >= 400 || response.headers.get("content-type") === "text/plain"]).toEqual([
      path,
      true,
    ])
    expect(text).not.toContain("hidden words")
    expect([path, response.status]).not.toEqual([path, 500])
  }
  for (const part of TRAVERSALS) {
    for (const [name, body] of [
      ["goto", { entry: part }],
      ["restore", { entry: part, paths: ["../../etc/passwd"] }],
      ["labels", { entry: part, name: "x" }],
      ["split", { entry: part }],
      ["converse", { text: "x", from: part }],
    ] as const) {
      const response = await server.fetch(request("POST", `${session}/${name}`, body))
      expect([name, part, [400, 404, 409].includes(response.status)]).toEqual([name, part, true])
    }
  }
})

test.each([
  ["a part of a path", "../x"],
  ["a folder that is not there", "/nowhere/at/all"],
  ["a file", import.meta.filename],
  ["what no path can be", "/tmp/\0x"],
])("no session works in %s", async (_, cwd) => {
  const { post, get } = serve()
  expect(await post("/api/sessions", { cwd })).toMatchObject({ status: 400, body: { code: "invalid" } })
  expect((await get("/api/sessions")).body.sessions).toEqual([])
})

test("a body that is too large is refused, whether it says so or not", async () => {
  const { server, request, newSession } = serve([], { limits: { body: { bytes: 1000, ms: 5000 } } })
  const session = await newSession()
  const large = request("POST", `${session}/title`, { title: "x".repeat(2000) })
  const declared = await server.fetch(
    request("POST", `${session}/title`, { title: "x".repeat(2000) }, { "content-length": "2050" }),
  )
  for (const response of [await server.fetch(large), declared]) {
    expect([response.status, await response.json()]).toMatchObject([413, { code: "too-large" }])
  }
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(600)) })
  const streamed = new Request(`${ORIGIN}${session}/title`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: endless,
    duplex: "half",
  })
  expect((await server.fetch(streamed)).status).toBe(413)
})

test("a body that never comes does not block", async () => {
  const { server, newSession } = serve([], { limits: { body: { bytes: 1000, ms: 30 } } })
  const session = await newSession()
  const never = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"title":')) })
  const slow = new Request(`${ORIGIN}${session}/title`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: never,
    duplex: "half",
  })
  const response = await server.fetch(slow)
  expect([response.status, await response.json()]).toMatchObject([408, { code: "too-slow" }])
})

test("a thousand wrong tokens find nothing, are slowed down, and keep nobody else waiting", async () => {
  const { server, request } = serve()
  const wrong = (n: number) =>
    server.fetch(new Request(`${ORIGIN}/api/sessions`, { headers: { authorization: `Bearer wrong-${n}` } }))
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const waits: Promise<Response>[] = []
  for (let n = 0; n < 1000; n++) waits.push(wrong(n))
  let answered = 0
  for (const each of waits) void each.then(() => answered++)
  // No time passes: whoever is slowed down waits still, and the right one does not wait for them.
  expect((await server.fetch(request("GET", "/api/sessions"))).status).toBe(200)
  expect(answered).toBeLessThan(1000)
  await vi.runAllTimersAsync()
  const codes = (await Promise.all(waits)).map(({ status }) => status)
  expect(new Set(codes)).toEqual(new Set([401, 429]))
  expect(codes.filter((status) => status === 401).length).toBeLessThanOrEqual(100)
})

test("an upgrade is refused, with the token too", async () => {
  const { server, request } = serve()
  const response = await server.fetch(request("GET", "/api/sessions", undefined, { upgrade: "websocket" }))
  expect([response.status, await response.json()]).toMatchObject([426, { code: "no-upgrade" }])
})

test("what is wrong in a request is reported, and nothing else happens", async () => {
  const { server, request, newSession, post } = serve()
  const session = await newSession()
  const broken = new Request(`${ORIGIN}${session}/title`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: "{",
  })
  expect(await (await server.fetch(broken)).json()).toMatchObject({
    code: "invalid",
    detail: expect.stringContaining("JSON"),
  })
  expect((await post(`${session}/title`, { title: 5 })).body).toMatchObject({
    code: "invalid",
    detail: expect.stringMatching(/^title: /),
  })
  expect((await post(`${session}/back`, { rouds: 2 })).body).toMatchObject({ detail: expect.stringContaining("rouds") })
  expect((await server.fetch(request("GET", "/api/nothing"))).status).toBe(404)
})

test.each([
  ["PUT", "", "GET, HEAD"],
  ["GET", "/back", "POST"],
  ["HEAD", "/back", "POST"],
  ["DELETE", "/voice", "GET, HEAD, POST"],
  ["OPTIONS", "/title", "POST"],
])("%s …%s is answered with what that address accepts", async (method, path, allow) => {
  const { server, request, newSession } = serve()
  const response = await server.fetch(request(method, `${await newSession()}${path}`))
  expect([response.status, response.headers.get("allow")]).toEqual([405, allow])
  if (method !== "HEAD")
    expect(await response.json()).toMatchObject({ code: "wrong-method", advice: [`Use: ${allow}`] })
})

test("the address of the WebSocket tells a plain request what it requires", async () => {
  const { get } = serve()
  const { status, headers, body } = await get<{ detail: string }>("/api/voice")
  expect([status, headers.get("upgrade"), body.detail]).toEqual([
    426,
    "websocket",
    expect.stringContaining("WebSocket"),
  ])
})

test("the page accepts nothing", async () => {
  const { server, request } = serve()
  const response = await server.fetch(request("POST", "/", {}))
  expect([response.status, await response.json()]).toMatchObject([405, { code: "wrong-method" }])
})
