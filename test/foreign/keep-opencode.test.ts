// A branch that opencode removed from a session it still has: retcon's copy is found, read and brought back as a session of its own.
import { mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { foreignStore } from "../../src/foreign/foreign-store.ts"
import { FORMATS } from "../../src/formats/all/formats.ts"
import { opencode } from "../../src/formats/opencode/format.ts"
import type { SessionId } from "../../src/model/id.ts"
import { promptsOf, readSession, temporaryFolder } from "../formats/read-session.ts"
import { makeDatabase } from "../formats/sqlite/make-database.ts"

const NAME = "ses_e11c93353ffebkV9k7M3JcSM42"

const TABLES = `
db.execute("create table session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text, revert text, time_created integer, time_updated integer)")
db.execute("create table message (id text PRIMARY KEY, session_id text, time_created integer, data text)")
db.execute("create table part (id text PRIMARY KEY, message_id text, session_id text, data text)")
db.execute("insert into session values (?,?,?,?,?,?,?,?,?)", ("${NAME}", "global", None, "/work", "about it", "1.18.33", None, 1790000000000, 1790000000000))
`
const said = (n: number, text: string) => `
db.execute("insert into message values (?,?,?,?)", ("msg_1ee37233900${n}w2wzhU6LDD4zYu", "${NAME}", 179000000000${n}, json.dumps({"role": "${n % 2 === 1 ? "user" : "assistant"}", "finish": "stop", "time": {"created": 179000000000${n}}})))
db.execute("insert into part values (?,?,?,?)", ("prt_1ee37233900${n}w2wzhU6LDD4zYu", "msg_1ee37233900${n}w2wzhU6LDD4zYu", "${NAME}", json.dumps({"type": "text", "text": "${text}"})))
`
const REVERTED = `
db.execute("delete from part where message_id like 'msg_1ee372339003%' or message_id like 'msg_1ee372339004%'")
db.execute("delete from message where id like 'msg_1ee372339003%' or id like 'msg_1ee372339004%'")
db.execute("update session set time_updated = 1790000009000")
`

test("what opencode removed from a session is listed, found, read, and brought back beside the session", async () => {
  const [home, person] = [temporaryFolder(), temporaryFolder()]
  const file = join(person, ".local", "share", "opencode", "opencode.db")
  mkdirSync(dirname(file), { recursive: true })
  const store = foreignStore({
    home,
    homes: { home: person, env: {} },
    formats: FORMATS,
    now: () => 1_790_000_010_000,
  })
  makeDatabase(`${TABLES}${said(1, "one")}${said(2, "first")}${said(3, "two")}${said(4, "second")}`, { file })
  await store.keep({})
  makeDatabase(`${REVERTED}${said(5, "another")}${said(6, "third")}`, { file })
  await store.keep({})

  const listed = await store.list()
  expect(listed.map(({ title, gone }) => [title, gone !== undefined])).toEqual([
    ["about it", false],
    ["about it", true],
  ])
  const [now, before] = listed.map(({ id }) => id) as [SessionId, SessionId]
  const log = await store.open(before)
  expect(promptsOf(log.history)).toEqual(["one", "two"])
  await log.close()

  expect(await store.restore(now)).toEqual({ outcome: "refused", because: "in-database", file })
  const taken = await store.restore(before)
  if (taken.outcome !== "take-in") throw new Error(taken.outcome)
  const copy = taken.command.at(-1) ?? ""
  expect(taken).toMatchObject({
    command: ["opencode", "import", copy],
    resume: ["opencode", "--session", expect.any(String)],
  })
  expect(readFileSync(copy, "utf8")).not.toContain(NAME)
  expect(promptsOf((await readSession(opencode, copy)).history)).toEqual(["one", "two"])
  expect(await store.restore(before)).toEqual(taken)
})
