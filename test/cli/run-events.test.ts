import { expect, test } from "vitest"
import { printEvents } from "../../src/cli/agent/run-events.ts"
import type { HostEvent } from "../../src/protocol/event.ts"

test("what a person must know is printed on a separate line, not in the middle of the answer", () => {
  let screen = ""
  const output = {
    write: (text: string) => {
      screen += text
    },
    isTerminal: false,
    width: 80,
    colours: false,
  }
  const print = printEvents({ out: output, err: output }, false)
  const events: HostEvent[] = [
    { type: "text-delta", text: "I am " },
    { type: "not-covered", files: [{ path: "big.bin", because: "large" }] },
    { type: "text-delta", text: "here." },
    { type: "text-end" },
    { type: "notice", level: "warning", text: "Look out." },
  ]
  for (const event of events) print(event)
  expect(screen.split("\n")).toEqual([
    "I am here.",
    "! Not covered by snapshots: big.bin (large). retcon cannot restore them.",
    "Look out.",
    "",
  ])
})
