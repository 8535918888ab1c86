// A move in another agent's session on a full disk, or after a program died while it wrote there: for each agent that follows moves.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { EVERY_MOVED, putSample } from "../foreign/every-agent.ts"
import { door } from "./door.ts"
import { temporaryPlace } from "./place.ts"

const fs = door.real

function placed(sample: (typeof EVERY_MOVED)[number]) {
  const place = temporaryPlace()
  onTestFinished(() => place.remove())
  const { path, main } = putSample(sample, place.person)
  const back = () => place.retcon(["back", "-s", path, "--even-if-running"])
  return { place, main, back }
}

test.each(EVERY_MOVED)("$agent: half a write is taken back, and the next move is made", async (sample) => {
  const { place, main, back } = placed(sample)
  const before = fs.readFileSync(main)
  door.cover(place.person)
  door.arm("short", 0)
  const failed = await back()
  expect(door.disarm().fired).toBe(1)
  expect(door.call).toBe(`write ${main}`)
  expect([failed.exit, failed.err]).toEqual([1, expect.stringContaining("no space left")])
  expect(fs.readFileSync(main).equals(before)).toBe(true)
  expect(await back()).toMatchObject({ exit: 0, err: "" })
  expect(fs.readFileSync(main).subarray(0, before.length).equals(before)).toBe(true)
})

test.each(EVERY_MOVED.filter(({ agent }) => /^(?:gemini-cli|pi)$/.test(agent)))(
  "$agent: wherever reading it fails, nothing stays open",
  async (sample) => {
    const { place } = placed(sample)
    const { path } = putSample(sample, place.person)
    const open = () => fs.readdirSync("/proc/self/fd").length
    await place.retcon(["log", "-s", path])
    door.cover(place.person)
    const before = open()
    for (let k = 0, fired = 1; fired > 0; k++) {
      fs.rmSync(join(place.home, "cache"), { recursive: true, force: true })
      door.arm("EIO", k)
      await place.retcon(["log", "-s", path])
      fired = door.disarm().fired
      expect({ call: door.call, open: open() }).toEqual({ call: door.call, open: before })
    }
  },
)

test.each(EVERY_MOVED)(
  "$agent: an open session stays as it was while its file cannot be read, and follows it afterwards",
  async (sample) => {
    const { place, main } = placed(sample)
    const [listed] = await place.cli().store.list({ agents: "all" })
    const log = await place.cli().store.open(listed?.id as SessionId)
    onTestFinished(() => log.close())
    const [size, head] = [log.history.size, log.history.head]
    door.cover(place.person)
    for (const fault of ["EMFILE", "EIO", "EACCES"] as const)
      for (let k = 0, fired = 1; fired > 0; k++) {
        // As if it had been written to: then all of it is looked at.
        fs.utimesSync(main, new Date(), new Date(Date.now() + 1000 * (k + 1)))
        door.arm(fault, k)
        log.refresh()
        const failed = log.history.size === 0
        fired = door.disarm().fired
        expect({ fault, call: door.call, failed }).toEqual({ fault, call: door.call, failed: false })
        log.refresh()
        expect([log.history.size, log.history.head]).toEqual([size, head])
      }
    door.arm("EMFILE", 0, true)
    expect(() => log.refresh({ must: true })).toThrow("EMFILE")
    door.disarm()
  },
)

/** They do not resume a session with such a line themselves. */
const REFUSE_HALF_A_LINE = ["kimi-code", "neovate"]

const ENDS = [
  { end: "its last newline is missing", change: (bytes: Buffer) => bytes.subarray(0, -1) },
  { end: "half a line is at its end", change: (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('{"type":"us')]) },
]

test.each(EVERY_MOVED.flatMap((sample) => ENDS.map((each) => ({ ...sample, ...each }))))(
  "$agent: where $end, nobody is said to have the session open",
  async ({ end, change, ...sample }) => {
    const { place, main, back } = placed(sample)
    fs.writeFileSync(main, change(fs.readFileSync(main)))
    // With the index that a list leaves, too.
    await place.retcon(["ls", "--all"])
    const { exit, err } = await back()
    if (end.startsWith("half") && REFUSE_HALF_A_LINE.includes(sample.agent)) {
      expect([exit, err]).toEqual([1, expect.stringContaining("A line of this session cannot be read")])
      return
    }
    expect([exit, err]).toEqual([0, ""])
    expect(fs.readFileSync(main).at(-1)).toBe(10)
    expect(await back()).toMatchObject({ err: expect.not.stringContaining("has this session open") })
  },
)
