import { expect, test } from "vitest"
import { listening, TOKEN } from "./test-server.ts"

const UPGRADE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
]

test.each([
  ["no Host", "GET /api/sessions HTTP/1.1", [], 403],
  ["a Host that is no name", "GET /api/sessions HTTP/1.1", ["Host: a b"], 400],
  ["an upgrade with a Host that is no name", "GET /api/voice HTTP/1.1", ["Host: a b", ...UPGRADE], 400],
  ["an upgrade with half a bracket for a Host", "GET /api/voice HTTP/1.1", ["Host: [", ...UPGRADE], 400],
  ["an upgrade of no address", "GET // HTTP/1.1", ["Host: 127.0.0.1:4180", ...UPGRADE], 400],
  ["an upgrade of everything", "OPTIONS * HTTP/1.1", ["Host: 127.0.0.1:4180", ...UPGRADE], 400],
  ["a backslash for an address", "GET \\api HTTP/1.1", ["Host: 127.0.0.1:4180"], 400],
  ["no HTTP at all", "hello", [], 400],
  ["a method that there is not", "FETCH /api/sessions HTTP/1.1", ["Host: 127.0.0.1:4180"], 400],
  ["an address without end", `GET /api/sessions?text=${"a".repeat(17_000)} HTTP/1.1`, ["Host: 127.0.0.1:4180"], 431],
  [
    "two lengths of one body",
    "POST /api/sessions HTTP/1.1",
    ["Host: 127.0.0.1:4180", "Content-Length: 5", "Transfer-Encoding: chunked"],
    400,
  ],
])("%s: the answer says what is wrong, and the server continues", async (_, line, headers, status) => {
  const { sends, port } = await listening()
  const answer = await sends([line, ...headers, "Connection: close", "", ""].join("\r\n"))
  expect(answer).toMatchObject({ status, headers: expect.stringContaining("application/problem+json") })
  expect(JSON.parse(answer.body)).toEqual({
    type: "about:blank",
    status,
    code: expect.stringMatching(/^(malformed|wrong-host|too-large)$/),
    detail: expect.any(String),
    hint: expect.any(String),
    advice: [expect.any(String)],
  })
  const next = await fetch(`http://127.0.0.1:${port}/api/sessions`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(next.status).toBe(200)
})
