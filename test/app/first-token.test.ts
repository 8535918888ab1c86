// The snapshot before a round runs beside the model's request; only what writes waits for it.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as turnOfTheLoop } from "node:timers/promises"
import { expect, test } from "vitest"
import type { HostDeps } from "../../src/app/port/host-deps.ts"
import { makeTestHost, scriptedModel } from "../test-host.ts"

/** Snapshots of real files that end only once `release` was called. */
function heldSnapshots(openWorkspace: HostDeps["openWorkspace"]) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const open: HostDeps["openWorkspace"] = async (...given) => {
    const workspace = await openWorkspace(...given)
    const snapshot = workspace.snapshot.bind(workspace)
    return Object.assign(workspace, {
      snapshot: async (...wanted: Parameters<typeof snapshot>) => {
        await released
        return snapshot(...wanted)
      },
    })
  }
  return { open, release: () => release() }
}

test("a snapshot that takes long holds up no word and no reading, and the first tool that writes waits for it", async () => {
  const model = scriptedModel([
    { text: "Looking.", calls: [{ name: "Glob", input: { pattern: "*" } }] },
    { text: "Writing.", calls: [{ name: "Write", input: { path: "a.txt", content: "one\n" } }] },
    { text: "Done." },
  ])
  const bench = makeTestHost({ model: async () => model })
  const { parts: deps } = bench
  const openWorkspace = deps.openWorkspace.bind(deps)
  const { open, release } = heldSnapshots(openWorkspace)
  deps.openWorkspace = open
  const { session, events } = await bench.open()
  const seen: string[] = []
  const asked = new Promise<void>((resolve) => {
    session.on(({ event }) => {
      if (event.type === "text-delta") seen.push(event.text)
      if (event.type === "tool-end") seen.push(event.name)
      if (event.type === "step-end" && seen.includes("Writing.")) resolve()
    })
  })
  const turn = session.send({ text: "go" })
  await asked
  for (let i = 0; i < 50; i++) await turnOfTheLoop()
  expect(seen).toEqual(["Looking.", "Glob", "Writing."])
  expect(existsSync(join(bench.root, "a.txt"))).toBe(false)
  release()
  await turn
  expect(existsSync(join(bench.root, "a.txt"))).toBe(true)
  expect(events.filter((event) => event.type === "notice")).toEqual([])
  await session.undo({ files: "restore" })
  expect(existsSync(join(bench.root, "a.txt"))).toBe(false)
})
