// A conversation that goes on in a session of an agent without hooks, over the Agent Client Protocol.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { ACP_LAUNCHES } from "../../src/programs/acp/launch.ts"
import { testStore } from "../any-store.ts"
import { putPiSession } from "../cli/pi-session.ts"
import { temporaryFolder } from "../formats/read-session.ts"
import { FAKE_LAUNCH, fakeAcp } from "../programs/fake-acp.ts"
import { makeTestHost } from "../test-host.ts"

test("going back right after a turn brings the files along and asks nothing: retcon took the snapshots, and ended the program", async () => {
  const folder = temporaryFolder()
  const launch = ACP_LAUNCHES.find(({ agent }) => agent === "pi") ?? FAKE_LAUNCH
  const at = makeTestHost({
    store: testStore(join(folder, "home"), join(folder, "person"), () => Date.now()),
    program: () => fakeAcp("as usual", { launch, env: { FAKE_PI: file } }),
  })
  const file = putPiSession({ folder, cwd: at.root })
  const { sessions } = await at.host.list({ agents: "all" })
  const { session, events } = await at.open(sessions[0]?.id)
  expect(session.access).toEqual({ can: "all" })
  const [text, written] = [`write ${at.root}/a.txt`, join(at.root, "a.txt")]
  expect(await session.send({ text })).toMatchObject({ outcome: "done" })
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["turn-start", "tool-start", "tool-end", "text-delta"]),
  )
  expect(existsSync(written)).toBe(true)
  expect(await session.back({ files: "restore" })).toMatchObject({
    outcome: "moved",
    prompt: { text },
    files: [{ path: "a.txt", change: "deleted" }],
  })
  expect(existsSync(written)).toBe(false)
  await session.undo({ files: "restore" })
  expect(existsSync(written)).toBe(true)
})
