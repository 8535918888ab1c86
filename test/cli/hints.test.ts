// What a person typed that could not be meant so, or not so much of: they are told what to type, or get what they meant.
import { expect, test } from "vitest"
import { shortId } from "../../src/model/id.ts"
import { Bench } from "./bench.ts"

test("for a prompt without quotes, the error says how to quote it", async () => {
  const { exit, err } = await new Bench().run(["fix", "the", "bug"])
  expect([exit, err.replace(/\s+/g, " ")]).toEqual([
    2,
    expect.stringContaining("If this is a prompt, quote it: retcon 'fix the bug'."),
  ])
})

test("archive --undo without an id brings back what was archived, not the session that is in use", async () => {
  const bench = new Bench()
  const away = await bench.session(1)
  await bench.session(1)
  await bench.run(["archive", away.id])
  expect((await bench.run(["archive", "--undo"])).out).toBe(`Session ${shortId(away.id)} is listed again.\n`)
  expect((await bench.run(["archive", "--undo"])).err).toContain("No session in this folder is archived.")
})

test("ops --limit lists the last ones", async () => {
  const bench = new Bench()
  await bench.session(3)
  const list = async (...words: string[]) => JSON.parse((await bench.run(["ops", "--json", ...words])).out) as object[]
  expect(await list("--limit", "2")).toEqual((await list()).slice(0, 2))
})
