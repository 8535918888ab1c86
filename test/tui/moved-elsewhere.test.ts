// Another window moves the session that is on the screen.
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import type { SessionLog } from "../../src/store/port.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"
import { makeStage, type PlainScript, plainTalk, type Stage } from "./stage.ts"

async function threeRounds(host = makeTestHost()): Promise<Stage> {
  const stage = await makeStage({ with: host, rows: 50 })
  for (const [n, text] of ["say one", "say two", "say three"].entries()) {
    stage.enter(text)
    await stage.idle(n + 1)
  }
  return stage
}

/** The same session, open in what could be another process. */
async function elsewhere(host: TestHost) {
  const [listed] = (await host.host.list()).sessions
  return host.elsewhere().open(listed?.id as never)
}

/** As on a file system that does not report changes: what others do is seen with the next request. */
function unwatched(): TestHost {
  const host = makeTestHost()
  const { store } = host.parts
  const quiet = (log: SessionLog) => Object.assign(log, { watch: () => () => undefined })
  const [create, open] = [store.create.bind(store), store.open.bind(store)]
  Object.assign(host.parts.store, {
    create: async (header: Parameters<typeof create>[0]) => quiet(await create(header)),
    open: async (id: Parameters<typeof open>[0]) => quiet(await open(id)),
  })
  return host
}

test("the terminal goes along, says who moved, and /undo takes it back", async () => {
  const stage = await threeRounds()
  const other = await elsewhere(stage.host)
  await other.back()
  await stage.sees("The command line went back 1 round.")
  await stage.sees("Take it back with /undo")
  await stage.sees(/round 2 of 3/)
  stage.enter("/undo")
  await stage.idle(3)
  await other.redo({ dryRun: true })
  expect(other.history.round(other.head)).toBe(3)
})

test("what is said elsewhere is shown here, once", async () => {
  const stage = await threeRounds()
  const other = await elsewhere(stage.host)
  await workIn(other).send({ text: "say four" })
  await stage.sees("A prompt was sent: “say four”.")
  await stage.sees("\nfour\n")
  expect(stage.all().filter((line) => line === "❯ say four")).toHaveLength(1)
  expect(stage.all().filter((line) => line === "four")).toHaveLength(1)
})

test("a move from what is no longer there asks first; Esc changes nothing, Enter goes ahead", async () => {
  const stage = await threeRounds(unwatched())
  const other = await elsewhere(stage.host)
  await other.back()
  stage.enter("/back")
  await stage.sees("This session was moved meanwhile")
  await stage.sees(/The command line went back 1 round\. From there, this would leave 2\s+messages\s+behind/)
  stage.press("escape")
  await stage.sees("so nothing was done")
  await stage.sees(/round 2 of 3/)
  await other.back()
  await other.undo()
  await other.goto("@1")
  stage.enter("/undo")
  await stage.sees("This session was moved meanwhile")
  stage.press("enter")
  await stage.sees(/round 2 of 3/)
})

test("a prompt from what is no longer there asks first, and its text is kept", async () => {
  const stage = await threeRounds(unwatched())
  const other = await elsewhere(stage.host)
  await other.back()
  stage.enter("say something else")
  await stage.sees(/Your message was not sent: it would continue\s+from there\./)
  stage.press("escape")
  await stage.sees(/─\n❯ say something else\n─/)
  await other.back()
  stage.press("enter")
  await stage.sees("Your message was not sent")
  stage.press("enter")
  await stage.idle(2)
  await stage.sees("something else")
})

async function plainThreeRounds() {
  const host = unwatched()
  const { session } = await host.open()
  for (const text of ["say one", "say two", "say three"]) await session.send({ text })
  const other = await elsewhere(host)
  const talk = (...script: PlainScript) => plainTalk(host, script, { kind: "resume", id: session.id })
  return { other, talk }
}

test("--plain asks in a line", async () => {
  const { other, talk } = await plainThreeRounds()
  const written = await talk(
    ["Type /help", "/prompts"],
    ["3: say three", () => other.back().then(() => "/back")],
    ["Go ahead? y/N", "y"],
    ["Moved.", "/quit"],
  )
  expect(written).toMatch(
    /The command line went back 1 round\. From there, this would leave 2 messages behind.*Go ahead\? y\/N\nMoved\./s,
  )
})

test("--plain keeps a prompt that was not sent for /send", async () => {
  const { other, talk } = await plainThreeRounds()
  const written = await talk(
    ["Type /help", "/prompts"],
    ["3: say three", () => other.back().then(() => "say more")],
    ["Send it with: /send", "/send"],
    ["Turn done", "/prompts"],
    ["3: say more", "/quit"],
  )
  expect(written).toContain("The command line went back 1 round. Your message was not sent")
})

test("a move right after a prompt of one's own is not asked about", async () => {
  const stage = await threeRounds()
  stage.enter("count to 400")
  stage.enter("/back")
  await stage.sees(/❯ count to 400\n─+\n round 3 ·/)
  expect(stage.all().join("\n")).not.toContain("moved meanwhile")
})

test("nor is one in --plain", async () => {
  const { talk } = await plainThreeRounds()
  const written = await talk(["Type /help", "count to 400"], ["1", "/back"], ["Moved.", "/quit"])
  expect(written).toContain("count to 400")
  expect(written).not.toContain("Go ahead?")
})
