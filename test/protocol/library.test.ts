// What can be asked of all sessions gets the same answer in process and over HTTP.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import type { SessionId } from "../../src/model/id.ts"
import { testApp } from "../any-store.ts"
import { connected } from "../client/connected.ts"

async function withRounds(...prompts: string[]) {
  const at = connected(prompts.map((text) => ({ text: `About ${text}: the needle is here.` })))
  const { session } = await at.open()
  for (const text of prompts) await session.send({ text })
  const { root, client } = at
  return { id: session.id, root, here: makeLibrary(testApp(at.home, root)), there: client.library }
}

test("a text is found in every session, or in those that fit", async () => {
  const { here, there, id, root } = await withRounds("one", "two")
  const query = { text: "needle", limit: 10, cwd: root, agent: "retcon", since: "2020-01-01T00:00:00.000Z" }
  const answer = await there.find(query)
  expect(answer).toEqual(await here.find(query))
  expect(answer).toMatchObject({ sessions: [{ session: id, words: { needle: 2 }, hits: [{}, {}] }], total: 1 })
  expect((await there.find({ ...query, since: "2099-01-01T00:00:00.000Z" })).sessions).toEqual([])
  expect((await there.find({ ...query, path: "nowhere.ts" })).sessions).toEqual([])
  expect((await there.find({ ...query, ofOne: 1 })).sessions[0]?.hits).toHaveLength(1)
  await expect(there.find({ ...query, text: "needle since:soon" })).rejects.toMatchObject({ code: "invalid" })
})

test("what a session has cost, and its directory", async () => {
  const { here, there, id, root } = await withRounds("one", "two")
  const answer = await there.cost({ session: id })
  expect(answer).toEqual(await here.cost({ session: id }))
  expect(answer).toMatchObject({ session: id, agent: "retcon", requests: 2, directory: { cwd: root, sessions: 1 } })
  const nobody = "019a0000-0000-7000-8000-000000000000" as SessionId
  await expect(there.cost({ session: nobody })).rejects.toMatchObject({ code: "not-found" })
})

test("a session is hidden from lists, and shown again", async () => {
  const { client, root } = connected()
  const session = await client.create({ cwd: root })
  const listed = async () => (await client.list({ cwd: root })).sessions.map(({ archived }) => archived)
  for (const archived of [true, false]) {
    await session.archive(archived)
    expect(await listed()).toEqual([archived])
  }
})

test("who wrote a file, line by line", async () => {
  const { here, there, id, root } = await withRounds("one")
  const file = join(root, "a.txt")
  writeFileSync(file, "first\nsecond\n")
  const answer = await there.blame({ file })
  expect(answer).toEqual(await here.blame({ file, session: id }))
  expect(answer.lines.map(({ text, prompt }) => [text.trim(), prompt])).toEqual([
    ["first", null],
    ["second", null],
  ])
  await expect(there.blame({ file: "a.txt" })).rejects.toMatchObject({ code: "invalid" })
})

test("what is wrong with sessions, and which secrets they contain", async () => {
  const { here, there, root } = await withRounds("my key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789")
  const { examined } = await there.examine({ cwd: root })
  expect({ examined }).toEqual(await here.examine({ cwd: root }))
  expect(examined.flatMap(({ findings }) => findings.filter(({ severity }) => severity === "problem"))).toEqual([])
  const answer = await there.secrets({ cwd: root })
  expect(answer).toEqual(await here.secrets({ cwd: root }))
  expect(answer).toMatchObject({ sessions: [{ secrets: [{ count: 1 }] }], secrets: 1 })
})

test("what changes something is planned first, and refused with a reason", async () => {
  const { here, there, id, root } = await withRounds("one")
  const sweep = { cwd: root, dryRun: true }
  expect(await there.gc(sweep)).toEqual(await here.gc(sweep))
  expect(await there.keep({ dryRun: true })).toEqual(await here.keep({ dryRun: true }))
  await expect(there.restoreKept({ session: id })).rejects.toMatchObject({ code: "not-found" })
  const move = { from: root, to: `${root}-elsewhere` }
  await expect(there.moved(move)).rejects.toMatchObject({ code: "invalid" })
  const planned = { dryRun: true, folders: [{ ...move, sessions: [id] }], untold: [] }
  expect(await there.moved({ ...move, force: true, dryRun: true })).toMatchObject(planned)
})
