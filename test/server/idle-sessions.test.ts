import { expect, test } from "vitest"
import type { Host, WorkSession } from "../../src/protocol/host.ts"
import { makeHubs } from "../../src/server/live/hubs.ts"
import { makeTestHost } from "../test-host.ts"

test("of many sessions that nobody uses the oldest are closed; one that cannot be closed is reported, and no more", async () => {
  const { host, root } = makeTestHost()
  const closed: string[] = []
  const watched: Host = {
    ...host,
    async create(request) {
      const session = await host.create(request)
      const close = async () => {
        closed.push(session.id)
        await session.close()
        if (closed.length === 1) throw new Error("its folder is in use")
        return undefined
      }
      return Object.create(session, { close: { value: close } }) as WorkSession
    },
  }
  const failures: unknown[] = []
  const hubs = makeHubs(
    watched,
    () => "g",
    (error) => failures.push(error),
  )
  const made: string[] = []
  for (let i = 0; i < 19; i++) made.push((await hubs.create({ cwd: root })).session.id)
  await hubs.close()
  expect(closed.slice(0, 3)).toEqual(made.slice(0, 3))
  expect(new Set(closed)).toEqual(new Set(made))
  expect(failures).toEqual([new Error("its folder is in use")])
})
