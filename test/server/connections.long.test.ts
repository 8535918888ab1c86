// What clients do with their connections: nothing, too little, or leave.
import { request as httpRequest } from "node:http"
import { connect, type Socket } from "node:net"
import { gunzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { jsonBody, served } from "./served.ts"
import { listening, TOKEN } from "./test-server.ts"

/** Opens a connection and says nothing. */
function silent(port: number): Promise<Socket> {
  return new Promise((settle) => {
    const socket = connect(port, "127.0.0.1", () => settle(socket))
    socket.on("error", () => settle(socket))
    onTestFinished(() => void socket.destroy())
  })
}

test("however many connections say nothing, the owner is answered, and their open stream stays", async () => {
  const { port } = await listening()
  const owner = { headers: { authorization: `Bearer ${TOKEN}` } }
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, owner)
  const reader = stream.body?.getReader()
  onTestFinished(() => reader?.cancel())
  for (let n = 0; n < 1100; n++) await silent(port)
  expect((await fetch(`http://127.0.0.1:${port}/api/sessions`, owner)).status).toBe(200)
  const first = await reader?.read()
  expect(first?.done).toBe(false)
})

test("who does not send the headers in time is cut off", async () => {
  const { sends } = await listening([], {}, { headersTimeout: 300, connectionsCheckingInterval: 50 })
  expect((await sends("GET /api/sessions HTTP/1.1\r\nHost: ")).status).toBe(408)
})

test("a client that leaves in the middle of what it sends is no news", async () => {
  const at = await served()
  const { host, port } = new URL(at.url)
  const socket = connect(Number(port), "127.0.0.1")
  socket.write(
    `POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${at.token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"cwd": "',
  )
  await new Promise<void>((settle) => socket.once("drain", settle).once("ready", settle))
  // Its request is being read once the next one is answered.
  expect((await at.ask("/api/sessions")).status).toBe(200)
  socket.destroy()
  expect((await at.ask("/api/sessions", jsonBody({ cwd: at.cwd }))).status).toBe(201)
  expect(await at.stop()).toBe(0)
  expect(at.err()).toBe("")
})

interface Raw {
  encoding: string | undefined
  vary: string | undefined
  bytes: Buffer
}

/** Asks for a compressed answer, and returns it as it came. */
function raw(port: number, path: string, accepts: string): Promise<Raw> {
  return new Promise((settle, fail) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "accept-encoding": accepts }
    const asked = httpRequest({ port, host: "127.0.0.1", path, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on("data", (part: Buffer) => parts.push(part))
      answer.on("end", () => {
        const { "content-encoding": encoding, vary } = answer.headers
        settle({ encoding, vary, bytes: Buffer.concat(parts) })
      })
    })
    asked.on("error", fail)
    asked.end()
  })
}

test("what is long goes compressed to who accepts it, and is the same", async () => {
  const page = async () => ({ bytes: Buffer.from("<!doctype html>".repeat(1000)), type: "text/html", fixed: false })
  const { port } = await listening([], { page })
  for (const path of ["/api/openapi.json", "/"]) {
    const plain = await raw(port, path, "identity")
    const packed = await raw(port, path, "br, gzip;q=0.8")
    expect([plain.encoding, packed.encoding]).toEqual([undefined, "gzip"])
    expect([plain.vary, packed.vary]).toEqual(["accept-encoding", "accept-encoding"])
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect((await raw(port, path, "gzip;q=0")).encoding).toBeUndefined()
  }
  expect((await raw(port, "/api/sessions", "gzip")).encoding).toBeUndefined()
})
