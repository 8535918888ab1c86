import { mkdirSync } from "node:fs"
import { expect, onTestFinished, test } from "vitest"
import { printEvents } from "../../src/cli/agent/run-events.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import { anthropicEvents, anthropicReply } from "../provider/wire/anthropic.ts"
import { SECRET, WireServer } from "../provider/wire/server.ts"
import { makeStage } from "./stage.ts"

test("what a person must know is printed on a separate line, not in the middle of the answer", () => {
  let screen = ""
  const output = {
    write: (text: string) => {
      screen += text
    },
    isTerminal: true,
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

test("a program that reads the answer gets it once, without what an attempt said that was cut off", async () => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  const cutOff = anthropicEvents({ text: "Perhaps it is 10." }).slice(0, -3)
  server.reply({ events: cutOff, ending: "reset" }, anthropicReply({ text: "The price is 12." }))
  const env = { PATH: process.env.PATH ?? "", ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: server.url }
  const ran = await at.retcon(["run", "--model", "anthropic/claude-sonnet-5-5", "what is the price?"], { env })
  expect(ran).toMatchObject({ exit: 0, out: "The price is 12.\n" })
  expect(ran.err).toContain("trying again")
  expect(server.requests).toHaveLength(2)
})
