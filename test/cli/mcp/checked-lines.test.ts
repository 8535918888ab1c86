// What an agent gets for a line that is no message of the protocol: an error of JSON-RPC, in words.
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"
import { checkedLines, refusalOf } from "../../../src/cli/mcp/serve.ts"

const call = (params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })

test.each([
  ["not json", null, -32700, "one line of JSON"],
  ["7", null, -32600, "one object"],
  ["[]", null, -32600, "no batches"],
  ['{"id":"a","method":"ping"}', "a", -32600, '"jsonrpc"'],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600, '"id"'],
  ['{"jsonrpc":"2.0","id":2}', 2, -32600, '"method"'],
  ['{"jsonrpc":"2.0","id":2,"method":"initialize"}', 2, -32602, '"protocolVersion"'],
  [call([]), 1, -32602, "must be an object"],
  [call({ name: 7 }), 1, -32602, '"name" must be a text'],
  [call({ name: "search", arguments: [] }), 1, -32602, '"arguments" must be an object'],
])("%s", (line, id, code, words) => {
  expect(refusalOf(line)).toEqual({ jsonrpc: "2.0", id, error: { code, message: expect.stringContaining(words) } })
})

test.each([
  '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":0,"method":"of-tomorrow","params":{}}',
  call({ name: "search" }),
])("%s is passed on", (line) => {
  expect(refusalOf(line)).toBeUndefined()
})

test("lines arrive whole, however they were cut, and those in between are refused", async () => {
  const refused: unknown[] = []
  const lines = checkedLines(({ error }) => refused.push(error.code))
  const passed = text(lines)
  for (const piece of [
    '{"jsonrpc":"2.0","id":1,"meth',
    'od":"é"}\nnonsense\n',
    "\n",
    '{"jsonrpc":"2.0","method":"last"}',
  ])
    lines.write(piece)
  lines.end()
  expect((await passed).split("\n").filter((line) => line !== "")).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"é"}',
    '{"jsonrpc":"2.0","method":"last"}',
  ])
  expect(refused).toEqual([-32700])
})
