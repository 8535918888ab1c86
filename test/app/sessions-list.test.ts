import { expect, test } from "vitest"
import type { HostListEvent } from "../../src/protocol/numbered-event.ts"
import { makeTestHost } from "../test-host.ts"
import { talk } from "./talk.ts"

async function three() {
  const at = talk(() => ({ text: "Done." }))
  for (const text of ["paint the door", "mend the roof", "paint the fence"]) {
    const { session } = await at.open()
    await session.send({ text })
    await session.close()
  }
  return at
}

test("the list comes in pages, newest first, and no session twice", async () => {
  const { host } = await three()
  const all = (await host.list()).sessions.map(({ title }) => title)
  const first = await host.list({ limit: 2 })
  const second = await host.list({ limit: 2, ...(first.next !== null && { after: first.next }) })
  expect([...first.sessions, ...second.sessions].map(({ title }) => title)).toEqual(all)
  expect(all[0]).toBe("paint the fence")
  expect(second.next).toBeNull()
})

test("it can be searched by title", async () => {
  const { host } = await three()
  expect((await host.list({ text: "PAINT" })).sessions).toHaveLength(2)
  expect((await host.list({ text: "nothing like it" })).sessions).toEqual([])
  expect((await host.list({ agent: "pi" })).sessions).toEqual([])
})

test("listeners learn of sessions that appear, change and disappear, no matter why", async () => {
  const { host, open, root, parts, elsewhere } = makeTestHost({ lookEvery: 20 })
  const { session } = await open()
  const waiting = new Set<(event: HostListEvent) => void>()
  const leave = host.on((event) => {
    for (const hear of waiting) hear(event)
  })
  const until = (fits: (event: HostListEvent) => boolean) =>
    new Promise<void>((settle) => void waiting.add((event) => fits(event) && settle()))
  const changed = (id: string, title: string) =>
    until((event) => event.type === "session-changed" && event.session.id === id && event.session.title === title)

  expect((await host.list()).sessions.map(({ id }) => id)).toEqual([session.id])
  const mine = changed(session.id, "mine")
  await session.title("mine")
  await mine
  const theirs = await elsewhere().create({ cwd: root })
  const came = changed(theirs.id, "theirs")
  await theirs.title("theirs")
  await came
  const went = until((event) => event.type === "session-removed" && event.session === theirs.id)
  await theirs.close()
  await parts.store.remove(theirs.id)
  await went
  leave()
})
