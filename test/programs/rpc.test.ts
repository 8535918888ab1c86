import { expect, it } from "vitest"
import type { Json } from "../../src/model/json.ts"
import { startChild } from "../../src/programs/child.ts"
import { RPC, type RpcOptions, type RpcPeer, rpcPeer } from "../../src/programs/rpc.ts"

it("carries requests, answers and notifications in both directions over pipes", async () => {
  const heard: Json[] = []
  const peer = rpcPeer({
    send: (message) => child.send(message),
    methods: { name: ({ of }) => `the name of ${of as string}`, heard: (params) => void heard.push(params) },
  })
  // A process that answers what it is asked by asking back.
  const child = startChild({
    command: [process.execPath, "-e", ASKS_BACK],
    cwd: process.cwd(),
    env: {},
    line: (line) => peer.take(line),
  })
  await expect(peer.request("greet", { who: "Zoë" })).resolves.toBe("Hello, the name of Zoë")
  expect(heard).toEqual([{ said: "Zoë" }])
  await child.end()
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
  const { far } = pair({})
  for (const method of ["fs/write_text_file", "constructor"])
    await expect(far.request(method, {})).rejects.toMatchObject({ code: RPC.unknownMethod })
})

it("passes on why a request failed", async () => {
  const { far } = pair({
    fail: () => {
      throw new Error("The disk is full.")
    },
  })
  await expect(far.request("fail", {})).rejects.toMatchObject({ code: RPC.internal, message: "The disk is full." })
})

it("reads on after a line that is no message", () => {
  const garbage: string[] = []
  const said: Json[] = []
  const peer = rpcPeer({
    send: (message) => said.push(message),
    methods: { ping: (params) => void said.push(params) },
    garbage: (line) => garbage.push(line),
  })
  for (const line of ["Welcome!", "[1,2]", "", '{"jsonrpc":"2.0"}', '{"method":"ping","params":{"n":1}}'])
    peer.take(line)
  expect(garbage).toEqual(["Welcome!", "[1,2]", '{"jsonrpc":"2.0"}'])
  expect(said).toEqual([{ n: 1 }])
})

it("tells the other side that an answer is no longer wanted, and it can stop working on it", async () => {
  let isAborted = false
  const { far } = pair({
    wait: (_, signal) => new Promise((settle) => signal.addEventListener("abort", () => settle((isAborted = true)))),
  })
  const given = new AbortController()
  const asked = far.request("wait", {}, given.signal)
  given.abort()
  await expect(asked).rejects.toMatchObject({ code: RPC.cancelled })
  expect(isAborted).toBe(true)
})

it("rejects what waits when the other side is gone, and aborts what it had asked for", async () => {
  let isAborted = false
  const { near, far } = pair({
    wait: (_, signal) => new Promise((settle) => signal.addEventListener("abort", () => settle((isAborted = true)))),
  })
  void far.request("wait", {})
  const asked = near.request("prompt", {})
  near.close("It is gone.")
  await expect(asked).rejects.toThrow("It is gone.")
  await expect(near.request("prompt", {})).rejects.toThrow("It is gone.")
  expect(isAborted).toBe(true)
})

function pair(methods: RpcOptions["methods"]): { near: RpcPeer; far: RpcPeer } {
  const near: RpcPeer = rpcPeer({ send: (message) => far.take(JSON.stringify(message)), methods })
  const far: RpcPeer = rpcPeer({
    send: (message) => near.take(JSON.stringify(message)),
    methods: { prompt: () => new Promise(() => undefined) },
  })
  return { near, far }
}
