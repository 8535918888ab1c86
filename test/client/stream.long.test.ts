// A line that breaks, a tab that nobody sees, a server that forgets: the client has every event once, and the tree as it is.
import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { entryId, path } from "../../src/history/tree/tree.ts"
import type { HostSession } from "../../src/protocol/host.ts"
import type { NumberedEvent } from "../../src/protocol/numbered-event.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { bash, until } from "../app/talk.ts"
import { connected } from "./connected.ts"

function heardBy(session: HostSession): NumberedEvent[] {
  const heard: NumberedEvent[] = []
  session.on((told) => heard.push(told))
  return heard
}

const numbers = (heard: readonly NumberedEvent[]) => heard.map(({ seq }) => seq)

/** Two clients on one session; the first one's line can be cut. */
async function two(answers: Parameters<typeof connected>[0]) {
  const at = connected(answers)
  const mine = await at.client.create({ cwd: at.root })
  const theirs = workIn(await at.another().open(mine.id))
  return { ...at, mine, theirs, heard: heardBy(mine), all: heardBy(theirs) }
}

async function caughtUp(mine: HostSession, theirs: HostSession): Promise<void> {
  const last = (session: HostSession) => session.history.size
  if (last(mine) >= last(theirs)) return
  await until(mine, () => last(mine) >= last(theirs))
}

describe("a connection that breaks", () => {
  test("what was missed arrives once it is restored: every event, none twice", async () => {
    const { client, mine, theirs, heard, all } = await two((_, n) => ({ text: `Answer ${n}.` }))
    await theirs.send({ text: "one" })
    client.cut()
    await theirs.send({ text: "two" })
    client.mend()
    await theirs.send({ text: "three" })
    await caughtUp(mine, theirs)
    await expect.poll(() => numbers(heard).at(-1) === numbers(all).at(-1)).toBe(true)
    expect(numbers(heard)).toEqual(numbers(heard).map((_, i) => i + (heard[0]?.seq ?? 0)))
    expect(heard.filter(({ event }) => event.type === "turn-end")).toHaveLength(3)
    expect(mine.head).toBe(theirs.head)
    expect(mine.history.size).toBe(theirs.history.size)
  })

  test("the page knows how the server is: reconnecting, gone, and online again", async () => {
    const { client } = await two([])
    const states: string[] = []
    const gone = new Promise<void>((settle) => {
      client.onState((state) => {
        states.push(state)
        if (state === "gone") settle()
      })
    })
    client.cut()
    await gone
    const back = new Promise<void>((settle) => client.onState((state) => state === "online" && settle()))
    client.mend()
    await back
    expect(states).toEqual(["reconnecting", "gone", "online"])
    expect(client.state).toBe("online")
  })

  test("a caller that waits for a turn while it breaks is answered when it is restored", async () => {
    const { client, mine, theirs } = await two([{ text: "Half", hangs: true }])
    const writing = until(mine, ({ type }) => type === "text-delta")
    const sent = mine.send({ text: "go" })
    await writing
    client.cut()
    await theirs.stop()
    client.mend()
    expect(await sent).toMatchObject({ outcome: "stopped" })
  })
})

test("a hidden tab has no stream, and gets what it missed when it is shown again", async () => {
  const { client, mine, theirs, heard } = await two((_, n) => ({ text: `Answer ${n}.` }))
  await theirs.send({ text: "one" })
  await caughtUp(mine, theirs)
  client.pause()
  const before = heard.length
  await theirs.send({ text: "two" })
  expect(heard).toHaveLength(before)
  const ended = until(mine, ({ type }) => type === "turn-end")
  client.resume()
  await ended
  expect(numbers(heard)).toEqual(numbers(heard).map((_, i) => i + (heard[0]?.seq ?? 0)))
  expect(mine.head).toBe(theirs.head)
})

test("changes to the list meanwhile are reported too", async () => {
  const { client, theirs, host, parts, root } = await two([])
  const told: string[] = []
  client.on((event) => void told.push(event.type === "session-changed" ? event.session.title : event.type))
  const [gone, changed] = [await host.create({ cwd: root }), theirs]
  await changed.title("before")
  await client.list()
  client.pause()
  await changed.title("after")
  await gone.close()
  await parts.store.remove(gone.id)
  const both = new Promise<void>((settle) => {
    client.on(() => told.includes("after") && told.includes("session-removed") && settle())
  })
  client.resume()
  await both
})

test("a stream that cannot resume starts over, with the tree and what runs as they are now", async () => {
  const { client, mine, theirs } = await two((_, n) =>
    n < 2 ? { text: `Answer ${n}.` } : bash("echo started; sleep 60"),
  )
  client.pause()
  // More than the server keeps.
  await theirs.send({ text: "one" })
  for (let n = 0; n < 4200; n++) await theirs.label("head", n % 2 === 0 ? "a" : "")
  await theirs.send({ text: "two" })
  const running = until(theirs, ({ type }) => type === "tool-delta")
  const sent = theirs.send({ text: "three" })
  await running
  const anew = until(mine, ({ type }) => type === "status")
  client.resume()
  await anew
  expect(mine.history.size).toBe(theirs.history.size)
  expect(path(mine.history, mine.head)).toEqual(path(theirs.history, theirs.head))
  expect(mine.live()).toMatchObject({ tools: [{ name: "Bash", output: "started\n" }] })
  await mine.stop()
  await sent
})

test("a file that another program overwrote is read again, and the tree here is rebuilt", async () => {
  const { mine, theirs, host } = await two((_, n) => ({ text: `Answer ${n}.` }))
  for (const text of ["one", "two", "three"]) await mine.send({ text })
  const here = await host.open(mine.id)
  const file = here.file ?? ""
  const lines = readFileSync(file, "utf8").split("\n")
  const anew = until(mine, ({ type }) => type === "rows-anew")
  writeFileSync(file, `${lines.slice(0, Math.ceil(lines.length / 2)).join("\n")}\n`)
  const shown = entryId(mine.history, mine.head)
  await theirs.label(here.history.id(1), "still there")
  await anew
  await expect(mine.send({ text: "four" }, { expects: shown })).rejects.toMatchObject({
    failure: { code: "moved-elsewhere" },
  })
  expect(await mine.send({ text: "four" })).toMatchObject({ outcome: "done" })
  await caughtUp(mine, here)
  expect(mine.history.size).toBe(here.history.size)
  expect(path(mine.history, mine.head)).toEqual(path(here.history, here.head))
  await here.close()
})

test("a turn that began before the server opened the session is joined in the middle, and continues", async () => {
  const { host, client, root } = connected((_, n) => (n === 1 ? bash("echo started; sleep 60") : { text: "Zero." }))
  const here = await host.create({ cwd: root })
  await here.send({ text: "zero" })
  const running = until(here, ({ type }) => type === "tool-delta")
  const sent = here.send({ text: "go" })
  await running
  const late = await client.open(here.id)
  const told = until(late, ({ type }) => type === "labelled")
  await late.label("head", "here")
  await told
  expect(late.live()).toMatchObject({ tools: [{ name: "Bash", output: "started\n" }] })
  await late.stop()
  await sent
  await here.close()
})

test("a server that stops says so, and the client knows that it is gone", async () => {
  const { client, mine, server } = await two([])
  const closing = until(mine, ({ type }) => type === "host-closing")
  const gone = new Promise<void>((settle) => client.onState((state) => state === "gone" && settle()))
  await server.close()
  await closing
  await gone
})

test("what was pending is gone before the server has answered; a refusal brings it back", async () => {
  const { client, mine } = await two((_, n) => (n === 1 ? { text: "Half", hangs: true } : { text: "Zero" }))
  await mine.send({ text: "zero" })
  const writing = until(mine, ({ type }) => type === "text-delta")
  const sent = mine.send({ text: "go" })
  await writing
  const back = mine.back({ rounds: 7 })
  expect(mine.live()).toBeUndefined()
  expect(await back).toMatchObject({ outcome: "refused" })
  expect(mine.live()).toMatchObject({ text: "Half" })
  const again = mine.back()
  expect(mine.live()).toBeUndefined()
  expect(await again).toMatchObject({ outcome: "moved" })
  expect(mine.live()).toBeUndefined()
  expect(await sent).toMatchObject({ outcome: "stopped" })
  expect(client.state).toBe("online")
})
