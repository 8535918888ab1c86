// Copies of sessions that opencode keeps in its database.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { makeDatabase } from "../formats/sqlite/make-database.ts"
import { Bench } from "./bench.ts"

const TABLES = `
db.execute("create table session (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text, title text, version text, revert text, time_created integer, time_updated integer)")
db.execute("create table message (id text PRIMARY KEY, session_id text, time_created integer, data text)")
db.execute("create table part (id text PRIMARY KEY, message_id text, session_id text, data text)")
db.execute("create index message_session on message (session_id)")
db.execute("create index part_message on part (message_id)")
for name in ("ses_one", "ses_two"):
  db.execute("insert into session values (?,'global',null,'calm-owl','/home/you/project',?,'1.18.33',null,1790000000000,1790000001000)", (name, "title of " + name))
  db.execute("insert into message values (?,?,1790000000500,?)", ("msg_" + name, name, json.dumps({"role": "user"})))
  db.execute("insert into part values (?,?,?,?)", ("prt_" + name, "msg_" + name, name, json.dumps({"type": "text", "text": "the moon landing"})))
db.commit()`

let bench: Bench
let file: string
let copies: string
beforeEach(() => {
  bench = new Bench()
  file = join(bench.folder, "person", ".local", "share", "opencode", "opencode.db")
  copies = join(bench.home, "kept", "opencode", dirname(file), "exported")
  mkdirSync(dirname(file), { recursive: true })
  makeDatabase(TABLES, { file, closed: true })
})

function change(sql: string): void {
  execFileSync("python3", [
    "-c",
    "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()",
    file,
    sql,
  ])
  // Later than any copy: the clock of these tests stands still in January 2026.
  utimesSync(file, new Date("2027-01-01"), new Date("2027-01-01"))
}

test("each session is copied as an export that opencode can import; the database is unchanged", async () => {
  const before = [readFileSync(file), statSync(file).mtimeMs]
  const { out } = await bench.run(["keep"], { width: 120 })
  expect(out).toMatch(/^Copied 2 files of opencode, \d+ B\.$/m)
  expect(out).toContain("2 sessions of opencode are in a file with others: each is copied as an export.")
  const copy = JSON.parse(readFileSync(join(copies, "ses_one.json"), "utf8"))
  expect(copy).toMatchObject({
    info: { id: "ses_one", slug: "calm-owl", projectID: "global", directory: "/home/you/project" },
    messages: [
      {
        info: { id: "msg_ses_one", sessionID: "ses_one", role: "user" },
        parts: [{ id: "prt_ses_one", messageID: "msg_ses_one", sessionID: "ses_one", text: "the moon landing" }],
      },
    ],
  })
  expect((await bench.run(["keep"])).out).toContain("Nothing new in 2 sessions")
  expect([readFileSync(file), statSync(file).mtimeMs]).toEqual(before)
})

test("a session that opencode deleted stays in lists and searches, which say how to import it again", async () => {
  await bench.run(["keep"])
  expect((await bench.run(["ls", "--all", "--json"])).json()).toHaveLength(2)
  change("delete from session where id = 'ses_one'")
  expect((await bench.run(["ls", "--all"], { width: 120 })).out).toContain("gone from opencode since")
  expect((await bench.run(["search", "moon landing", "--all"])).out).toContain("title of ses_one")
  const { exit, out } = await bench.run(["keep", "--restore", "ses_one"])
  expect(exit).toBe(0)
  expect(out).toContain(`opencode import ${join(copies, "ses_one.json")}`)
  expect(out).toContain("Then resume it with: opencode --session ses_one")
  expect(existsSync(join(dirname(file), "exported"))).toBe(false)
})

test("what a session lost is kept beside the copy; what it gained needs no second copy", async () => {
  await bench.run(["keep"])
  change("insert into part values ('prt_new', 'msg_ses_one', 'ses_one', '{\"type\":\"text\",\"text\":\"more\"}')")
  change("update session set time_updated = 1800000000000 where id = 'ses_one'")
  const { files } = (await bench.run(["keep", "--json"])).json() as { files: { copy: string }[] }
  expect(files.map(({ copy }) => copy)).toEqual([join(copies, "ses_one.json")])
  expect(readdirSync(copies)).toEqual(["ses_one.json", "ses_two.json"])
  change("delete from part where id = 'prt_ses_one'")
  await bench.run(["keep"])
  const [, version = ""] = readdirSync(copies).sort()
  expect(readFileSync(join(copies, version), "utf8")).toContain("the moon landing")
  expect(readFileSync(join(copies, "ses_one.json"), "utf8")).not.toContain("the moon landing")
})
