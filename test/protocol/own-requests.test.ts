// A front end asks from what it shows. What it has asked for itself, and does not show yet, is nobody else's doing.
import { expect, test } from "vitest"
import { entryId } from "../../src/history/tree/tree.ts"
import type { HostSession, MoveRequest, WorkSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { type OwnRequests, ownRequests } from "../../src/protocol/own-requests.ts"
import { until } from "../app/talk.ts"
import { connected } from "../client/connected.ts"

const back = (
  own: OwnRequests,
  session: WorkSession,
  more: MoveRequest = {},
  shown?: Parameters<OwnRequests["expects"]>[0],
) => {
  const asked = { ...own.expects(shown), ...more }
  return own.move(asked, () => session.back(asked))
}

const send = (own: OwnRequests, session: WorkSession, text: string) => {
  const asked = own.expects()
  return own.send(asked, () => session.send({ text }, asked))
}

/** A page on a session with these rounds, whose events can be held up. */
async function page(...texts: string[]) {
  const at = connected((_, n) => ({ text: `Answer ${n}.` }))
  const mine = await at.client.create({ cwd: at.root })
  const own = ownRequests(mine)
  for (const text of texts) await send(own, mine, text)
  const theirs = workIn(await at.another().open(mine.id))
  return { ...at, mine, own, theirs }
}

async function reaches(session: HostSession, round: number): Promise<void> {
  const isThere = () => session.history.round(session.head) === round
  if (!isThere()) await until(session, isThere)
}

test("a move right after one's own move goes on from there, before any event has arrived", async () => {
  const { client, mine, own } = await page("one", "two", "three", "four")
  const release = client.hold()
  for (const text of ["four", "three", "two"])
    expect(await back(own, mine)).toMatchObject({ outcome: "moved", prompt: { text } })
  release()
  await reaches(mine, 1)
  expect(own.expects()).toEqual({ expects: entryId(mine.history, mine.head) })
})

test("so does a prompt right after it, and a move right after that prompt", async () => {
  const { client, mine, own, theirs } = await page("one", "two", "three")
  const release = client.hold()
  await back(own, mine)
  const sent = send(own, mine, "another three")
  await until(theirs, ({ type }) => type === "turn-end")
  expect(await back(own, mine)).toMatchObject({ outcome: "moved", prompt: { text: "another three" } })
  release()
  await sent
})

test("what somebody else did in between is asked about", async () => {
  const { client, mine, own, theirs } = await page("one", "two", "three")
  const release = client.hold()
  await back(own, mine)
  await reaches(theirs, 2)
  await theirs.back()
  expect(await back(own, mine)).toMatchObject({ outcome: "refused", failure: { code: "moved-elsewhere" } })
  release()
})

test("a move that somebody took back is not taken for one's own", async () => {
  const { mine, own, theirs } = await page("one", "two", "three")
  await back(own, mine)
  const undone = until(mine, (event) => event.type === "moved" && event.kind === "undo")
  await theirs.undo()
  await undone
  await reaches(mine, 3)
  expect(await back(own, mine)).toMatchObject({ outcome: "moved", prompt: { text: "three" } })
})

test("a screen that still loads what one's own prompt brought does not ask", async () => {
  const { mine, own } = await page("one", "two")
  const shown = entryId(mine.history, mine.head)
  await send(own, mine, "three")
  expect(await back(own, mine, { dryRun: true }, shown)).toMatchObject({
    outcome: "planned",
    prompt: { text: "three" },
  })
  expect(await mine.back({ dryRun: true, expects: shown })).toMatchObject({ failure: { code: "moved-elsewhere" } })
})
