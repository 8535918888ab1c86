// The session on the screen shows what is recorded once it is here, whatever went wrong before.
import { svelte } from "@sveltejs/vite-plugin-svelte"
import { createServer } from "vite"
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import type { RemoteHost } from "../../src/client/connect.ts"
import type { RemoteSession } from "../../src/client/remote-session.ts"
import type { Row } from "../../src/history/tree/tree.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"
import { connected } from "../client/connected.ts"

interface Page {
  readonly head: Row
  readonly live: { said(): () => void }
  close(): Promise<void>
}
type Made = { PageSession: new (session: RemoteSession, tell: (event: HostEvent) => void, drafts: object) => Page }
type MadeState = {
  PageState: new (
    host: RemoteHost,
    drafts: object,
  ) => { readonly sessions: readonly SessionListing[]; list(): Promise<void> }
}
interface Voice {
  readonly problem: string
  toggle(): Promise<void>
  close(): void
}
type MadeVoice = { VoiceState: new (api: object, did: () => void) => Voice }
/** A tab that is new and alone. */
const ALONE = {
  storage: { read: () => null, write: () => {} },
  channel: () => ({ tell: () => {}, close: () => {} }),
}
let made: Made
let state: MadeState
let voice: MadeVoice
let stop: () => Promise<void>

/** Its runes are compiled, and it runs here. */
beforeAll(async () => {
  const server = await createServer({
    configFile: false,
    logLevel: "silent",
    plugins: [svelte()],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  stop = () => server.close()
  made = (await server.ssrLoadModule("/web/open/page-session.svelte.ts")) as Made
  state = (await server.ssrLoadModule("/web/open/page-state.svelte.ts")) as MadeState
  voice = (await server.ssrLoadModule("/web/voice/voice-state.svelte.ts")) as MadeVoice
})
afterAll(() => stop())

test("messages that could not be shown do not keep those after them from being shown", async () => {
  vi.stubGlobal("requestAnimationFrame", () => 1)
  vi.stubGlobal("cancelAnimationFrame", () => {})
  onTestFinished(() => void vi.unstubAllGlobals())
  // Too long to come with an event: they are fetched before they are shown.
  const { client, root } = connected(["one ", "two "].map((word) => ({ text: word.repeat(100_000) })))
  const session = await client.create({ cwd: root })
  const told: HostEvent[] = []
  const page = new made.PageSession(session, (event) => told.push(event), ALONE)
  vi.spyOn(page.live, "said").mockImplementationOnce(() => () => {
    throw new Error("no room on the screen")
  })
  const notices = () => told.flatMap((event) => (event.type === "notice" ? [event.text] : []))
  for (const text of ["one", "two"]) await session.send({ text })
  await expect.poll(() => page.head).toBe(session.head)
  expect(notices()).toEqual(["The messages could not be loaded: no room on the screen"])
  await page.close()
})

test("the list shows what changed while it was on its way", async () => {
  const { client, another, root } = connected()
  const elsewhere = another()
  const before = await elsewhere.create({ cwd: root })
  let [isAnswered, arrive] = [() => {}, () => {}]
  const answered = new Promise<void>((settle) => (isAnswered = settle))
  const arrived = new Promise<void>((settle) => (arrive = settle))
  const list: RemoteHost["list"] = async (query) => {
    const page = await client.list(query)
    isAnswered()
    await arrived
    return page
  }
  const page = new state.PageState({ ...client, list }, ALONE)
  const listing = page.list()
  await answered
  const come = await elsewhere.create({ cwd: root })
  await come.title("Come meanwhile")
  await expect.poll(() => page.sessions.map(({ title }) => title)).toEqual(["Come meanwhile"])
  arrive()
  await listing
  expect(page.sessions.map(({ id }) => id).sort()).toEqual([before.id, come.id].sort())
})

test("nobody is told that voice is not available before it is known; one who leaves meanwhile is told nothing", async () => {
  let know = () => {}
  const known = new Promise<void>((settle) => (know = settle))
  const read = () => known.then(() => ({ lines: [], live: false }))
  const [stays, leaves] = [0, 1].map(() => new voice.VoiceState({ read }, () => {})) as [Voice, Voice]
  const asked = [stays.toggle(), leaves.toggle()]
  expect(stays.problem).toBe("")
  leaves.close()
  know()
  await Promise.all(asked)
  expect([stays.problem, leaves.problem]).toEqual([expect.stringContaining("no speech recognition"), ""])
})
