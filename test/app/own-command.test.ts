// The person's own command (`!cmd`) while the agent's runs: what it makes is the person's.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { plainText } from "../../src/model/record/record.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { bash, talk } from "./talk.ts"

const WAIT = "while [ ! -e go ]; do sleep 0.05; done"

test("what it makes beside a call of the agent stays when that is taken back, and is named; the call's own goes", async () => {
  const { open, root } = talk([{ text: "Hello." }, bash(`echo agent > agent.txt; ${WAIT}; rm go`), { text: "Done." }])
  const { session, events } = await open()
  await session.send({ text: "hello" })
  const turn = session.send({ text: "work" })
  await expect.poll(() => existsSync(join(root, "agent.txt"))).toBe(true)
  const own = session.send({ text: "echo mine > mine.txt; touch go", shell: true })
  await Promise.all([turn, own])
  expect(events.filter(({ type }) => type === "notice")).toEqual([])
  const back = await session.back({ files: "restore", rounds: 1 })
  expect(back).toMatchObject({ kept: [{ path: "mine.txt", because: "own-command" }] })
  expect([existsSync(join(root, "agent.txt")), readFileSync(join(root, "mine.txt"), "utf8")]).toEqual([false, "mine\n"])
})

test("so does what one makes that began before the turn", async () => {
  const { open, root } = talk([
    { text: "Hello." },
    bash("echo agent > agent.txt; while [ ! -e mine.txt ]; do sleep 0.05; done"),
    { text: "Done." },
  ])
  const { session } = await open()
  await session.send({ text: "hello" })
  const own = session.send({ text: `while [ ! -e agent.txt ]; do sleep 0.05; done; echo mine > mine.txt`, shell: true })
  await Promise.all([session.send({ text: "work" }), own])
  await session.back({ files: "restore", rounds: 1 })
  expect([existsSync(join(root, "agent.txt")), readFileSync(join(root, "mine.txt"), "utf8")]).toEqual([true, "mine\n"])
})

test("its output waits for a turn that another process began meanwhile, says so, and is recorded once", async () => {
  const { open, elsewhere, root } = talk([{ text: "Hello." }, bash(`touch began; ${WAIT}`), { text: "Done." }])
  const { session, events } = await open()
  await session.send({ text: "hello" })
  const own = session.send({ text: "while [ ! -e began ]; do sleep 0.05; done; echo mine", shell: true })
  const other = await elsewhere().open(session.id)
  const turn = workIn(other).send({ text: "work" })
  await expect.poll(() => events.filter(({ type }) => type === "notice")).toMatchObject([{ level: "warning" }])
  writeFileSync(join(root, "go"), "")
  expect(await turn).toMatchObject({ outcome: "done" })
  expect(await own).toMatchObject({ outcome: "done" })
  const recorded = (await session.context()).map(({ content }) => plainText(content))
  expect(recorded.filter((text) => text.includes("mine"))).toEqual([expect.stringContaining("\nmine")])
  expect(recorded.at(-1)).toContain("The user ran this command themselves")
})

test("whoever does not wait for that is told that its output was not recorded", async () => {
  const { open, elsewhere, root } = talk([{ text: "Hello." }, bash(`touch began; ${WAIT}`), { text: "Done." }])
  const { session, events } = await open()
  await session.send({ text: "hello" })
  const own = session.send({ text: "while [ ! -e began ]; do sleep 0.05; done; echo mine", shell: true })
  const refused = own.then(
    () => "recorded",
    (error: Error) => error.message,
  )
  const other = await elsewhere().open(session.id)
  const turn = workIn(other).send({ text: "work" })
  await expect.poll(() => events.some(({ type }) => type === "notice")).toBe(true)
  await session.stop()
  expect(await refused).toContain("was not recorded")
  writeFileSync(join(root, "go"), "")
  expect(await turn).toMatchObject({ outcome: "done" })
})
