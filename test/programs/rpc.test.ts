import { spawn } from "node:child_process"
import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import type { Json } from "../../src/model/json.ts"
import { RPC, type RpcOptions, type RpcPeer, rpcPeer } from "../../src/programs/rpc.ts"
import { until } from "../within.ts"

it("carries requests, answers and notifications in both directions over pipes", async () => {
  // A process that answers what it is asked by asking back.
  const child = spawn(process.execPath, ["-e", ASKS_BACK], { stdio: ["pipe", "pipe", "inherit"] })
  const heard: Json[] = []
  const peer = rpcPeer(child.stdout, child.stdin, {
    methods: { name: ({ of }) => `the name of ${of as string}`, heard: (params) => void heard.push(params) },
  })
  await expect(peer.request("greet", { who: "Zoë" })).resolves.toBe("Hello, the name of Zoë")
  expect(heard).toEqual([{ said: "Zoë" }])
  child.stdin.end()
  await peer.closed
})

const ASKS_BACK = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line)
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
  if (method === "greet") {
    say({ method: "heard", params: { said: params.who } })
    say({ id: 7, method: "name", params: { of: params.who } })
  } else say({ id: 1, result: "Hello, " + result })
})`

it("answers a method that it does not have with its code, even one that every object has", async () => {
  const { far } = pair({ methods: {} })
  for (const method of ["fs/write_text_file", "constructor"])
    await expect(far.request(method, {})).rejects.toMatchObject({ code: RPC.unknownMethod })
})

it("passes on why a request failed", async () => {
  const { far } = pair({
    methods: {
      fail: () => {
        throw new Error("The disk is full.")
      },
    },
  })
  await expect(far.request("fail", {})).rejects.toMatchObject({ code: RPC.internal, message: "The disk is full." })
})

it("reads on after a line that is no message", async () => {
  const garbage: string[] = []
  const { toNear, farSaid } = pair({ methods: { ping: () => "pong" }, garbage: (line) => garbage.push(line) })
  toNear.write('Welcome!\n[1,2]\n\n{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","id":"x","method":"ping"}\n')
  await until(() => farSaid().includes("pong"))
  expect(garbage).toEqual(["Welcome!", "[1,2]", '{"jsonrpc":"2.0"}'])
})

it("takes a message that arrives in pieces, even inside a character", async () => {
  const { toNear, farSaid } = pair({ methods: { say: ({ text }) => text ?? null } })
  const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"say","params":{"text":"€ uro"}}\n')
  for (const byte of bytes) toNear.write(Buffer.from([byte]))
  await until(() => farSaid().includes("€ uro"))
})

it("rejects what waits when a message is too long, and reads on", async () => {
  const { near, toNear } = pair({ methods: {}, mostBytes: 100 })
  const long = near.request("prompt", {})
  toNear.write(`{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(60)}`)
  toNear.write(`${"x".repeat(200)}"}\n`)
  await expect(long).rejects.toThrow("more than 100 bytes")
  const after = near.request("prompt", {})
  toNear.write('{"jsonrpc":"2.0","id":2,"result":"fine"}\n')
  await expect(after).resolves.toBe("fine")
})

it("tells the other side that an answer is no longer wanted, and it can stop working on it", async () => {
  let isAborted = false
  const { far } = pair({
    methods: {
      wait: (_, signal) =>
        new Promise((settle) => {
          signal.addEventListener("abort", () => {
            isAborted = true
            settle(null)
          })
        }),
    },
  })
  const given = new AbortController()
  const asked = far.request("wait", {}, given.signal)
  given.abort()
  await expect(asked).rejects.toMatchObject({ code: RPC.cancelled })
  await until(() => isAborted)
})

it("rejects what waits when the other side is gone, and aborts what it had asked for", async () => {
  let isAborted = false
  const { near, far, toNear } = pair({
    methods: {
      wait: (_, signal) => new Promise((settle) => signal.addEventListener("abort", () => settle((isAborted = true)))),
    },
  })
  void far.request("wait", {})
  const nearAsked = near.request("prompt", {})
  toNear.end()
  await near.closed
  await expect(nearAsked).rejects.toThrow("closed the connection")
  await expect(near.request("prompt", {})).rejects.toThrow("closed the connection")
  expect(isAborted).toBe(true)
})

interface Pair {
  near: RpcPeer
  far: RpcPeer
  toNear: PassThrough
  farSaid: () => string
}

function pair(options: RpcOptions): Pair {
  const [toNear, toFar] = [new PassThrough(), new PassThrough()]
  let said = ""
  toFar.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  const near = rpcPeer(toNear, toFar, options)
  return {
    near,
    far: rpcPeer(toFar, toNear, { methods: { prompt: () => new Promise(() => undefined) } }),
    toNear,
    farSaid: () => said,
  }
}
