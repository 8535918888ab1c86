import { PassThrough } from "node:stream"
import { expect, onTestFinished, test } from "vitest"
import { processTerminal, type TerminalStreams } from "../../src/tui/terminal/process-terminal.ts"

function started(): { typed: string[]; type: (data: string) => void; fail: () => void; left: () => number } {
  const streams = { in: new PassThrough(), out: new PassThrough() }
  const terminal = processTerminal(streams as unknown as TerminalStreams)
  onTestFinished(() => terminal.stop())
  const typed: string[] = []
  let left = 0
  terminal.start({ input: (data) => void typed.push(data), resize: () => undefined, closed: () => left++ })
  return {
    typed,
    type: (data) => void streams.in.emit("data", data),
    fail: () => void streams.in.emit("error", Object.assign(new Error("read EIO"), { code: "EIO" })),
    left: () => left,
  }
}

test.each([
  ["\u001b\u001b", ["\u001b", "\u001b"]],
  ["\u001b\u001b\u001b\u001b", ["\u001b", "\u001b", "\u001b", "\u001b"]],
  ["\u001b\u001b[A", ["\u001b", "\u001b[A"]],
])("Esc pressed several times is as many keys, even in one read: %j", (data, keys) => {
  const at = started()
  at.type(data)
  expect(at.typed).toEqual(keys)
})

test("a terminal that cannot be read any more is one that the person left", () => {
  const at = started()
  at.fail()
  expect(at.left()).toBe(1)
})
