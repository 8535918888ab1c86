import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, test } from "vitest"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { opencode } from "../../../src/formats/opencode/format.ts"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"
import { contextOf, NOTHING_OURS, outline, promptsOf, readSession, temporaryFolder } from "../read-session.ts"
import { makeDatabase } from "../sqlite/make-database.ts"

const EXPORT = join(import.meta.dirname, "samples", "export.json")
const SESSION = "ses_e1f0af6acffeN6FOJux8TdfM8m"

/** The tables as opencode 1.18 creates them, with one session in them, a task of it, and many that are in the way. */
const TABLES = `
db.execute("pragma journal_mode = wal")
db.execute("begin")
db.execute("""create table \`session\` (\`id\` text PRIMARY KEY, \`project_id\` text NOT NULL, \`parent_id\` text, \`directory\` text NOT NULL,
  \`title\` text NOT NULL, \`version\` text NOT NULL, \`cost\` real DEFAULT 0 NOT NULL, \`revert\` text, \`time_created\` integer NOT NULL,
  \`time_updated\` integer NOT NULL, CONSTRAINT \`fk\` FOREIGN KEY (\`project_id\`) REFERENCES \`project\`(\`id\`) ON DELETE CASCADE)""")
db.execute("create table \`message\` (\`id\` text PRIMARY KEY, \`session_id\` text NOT NULL, \`time_created\` integer NOT NULL, \`data\` text NOT NULL)")
db.execute("create table \`part\` (\`id\` text PRIMARY KEY, \`message_id\` text NOT NULL, \`session_id\` text NOT NULL, \`data\` text NOT NULL)")
db.execute("create index \`message_session_time_created_id_idx\` on \`message\` (\`session_id\`,\`time_created\`,\`id\`)")
db.execute("create index \`part_message_id_id_idx\` on \`part\` (\`message_id\`,\`id\`)")
def session(id, parent, updated): db.execute("insert into session values (?,?,?,?,?,?,0,null,?,?)", (id, "global", parent, "/home/dev/w", "title of " + id, "1.18.33", 1790000000000, updated))
def message(session, id, created, data, parts):
  db.execute("insert into message values (?,?,?,?)", (id, session, created, json.dumps(data)))
  for p in parts: db.execute("insert into part values (?,?,?,?)", (p["id"], id, session, json.dumps({k: v for k, v in p.items() if k not in ("id", "messageID", "sessionID")})))
whole = json.load(open(${JSON.stringify(EXPORT)}))
session("${SESSION}", None, 1790000009000)
session("ses_task", "${SESSION}", 1790000005000)
for m in whole["messages"]: message("${SESSION}", m["info"]["id"], m["info"]["time"]["created"], {k: v for k, v in m["info"].items() if k != "id"}, m["parts"])
for i in range(300):
  session("ses_%03d" % i, None, 1790000000000)
  message("ses_%03d" % i, "msg_%03d" % i, 1790000000000, {"role": "user"}, [{"id": "prt_%03d" % i, "type": "text", "text": "x" * (i * 50)}])
db.execute("commit")`

function inHome(home: string): string {
  const file = join(home, ".local", "share", "opencode", "opencode.db")
  mkdirSync(dirname(file), { recursive: true })
  return file
}

test("a session reads the same from the database as from an export", async () => {
  const file = makeDatabase(TABLES, { closed: false })
  const [stored, exported] = [await readSession(opencode, file), await readSession(opencode, EXPORT)]
  expect(stored.opened.name).toBe(SESSION)
  const entries = (text: string) => text.split("\n").filter((line) => !line.includes(" config"))
  expect(entries(outline(stored.history))).toEqual(entries(outline(exported.history)))
  expect(contextOf(stored.history)).toEqual(contextOf(exported.history))
})

test("every session of the database is found, with its folder, title, time and whose task it is", () => {
  const home = temporaryFolder()
  const file = makeDatabase(TABLES, { file: inHome(home), closed: false })
  const places = [...opencode.find({ home, env: {} })]
  expect(places.length).toBe(302)
  const look = { head: Buffer.alloc(0), tail: Buffer.alloc(0), read: () => undefined }
  const task = places.find(({ within }) => within === "ses_task")
  expect(task).toEqual({ path: file, main: `${file}-wal`, within: "ses_task" })
  expect(task && opencode.glance(task, look)).toMatchObject({
    name: "ses_task",
    cwd: "/home/dev/w",
    title: "title of ses_task",
    updated: new Date(1_790_000_005_000).toISOString(),
    from: { name: SESSION, as: "task" },
  })
})

test("what opencode writes while the session is open is taken in", async () => {
  const file = makeDatabase(TABLES, { closed: false })
  const opened = await opencode.open({ path: file, main: file, within: "ses_007" })
  const session = new ScannedSession(opened, NOTHING_OURS)
  session.load()
  const before = promptsOf(session.history).length
  makeDatabase(
    `db.execute("insert into message values ('msg_new','ses_007',1790000001000,?)", (json.dumps({"role": "user"}),))
db.execute("insert into part values ('prt_new','msg_new','ses_007',?)", (json.dumps({"type": "text", "text": "one more"}),))`,
    { file, closed: false },
  )
  session.refresh()
  expect(promptsOf(session.history).slice(before)).toEqual(["one more"])
  session.close()
})

test("a damaged database is refused with a message when opened, and has no sessions in a list", async () => {
  const home = temporaryFolder()
  const file = inHome(home)
  writeFileSync(file, "SQLite format 3\\0 and then nothing that makes sense")
  expect([...opencode.find({ home, env: {} })]).toEqual([])
  await expect(opencode.open({ path: file, main: file, within: "ses_1" }).then(() => "opened")).rejects.toThrow(
    RetconError,
  )
})

test("older sessions in folders are read, where the database does not have them", async () => {
  const home = temporaryFolder()
  const storage = join(home, ".local", "share", "opencode", "storage")
  const put = (path: string, value: object) => {
    mkdirSync(dirname(join(storage, path)), { recursive: true })
    writeFileSync(join(storage, path), JSON.stringify(value))
    return join(storage, path)
  }
  const path = put("session/global/ses_old.json", {
    id: "ses_old",
    directory: "/home/dev/w",
    title: "old",
    time: { updated: 5 },
  })
  put("message/ses_old/msg_2.json", { role: "user", time: { created: 2 } })
  put("message/ses_old/msg_1.json", { id: "../../secret", role: "user", time: { created: 1 } })
  put("part/msg_1/prt_1.json", { type: "text", text: "one" })
  put("part/msg_2/prt_2.json", { type: "text", text: "two" })
  put("secret/prt_9.json", { type: "text", text: "secret" })
  expect([...opencode.find({ home, env: {} })].map((place) => relative(home, place.path))).toEqual([
    relative(home, path),
  ])
  const { history } = await readSession(opencode, path)
  expect(promptsOf(history)).toEqual(["one", "two"])
  copyFileSync(path, join(dirname(path), "ses_007.json"))
  makeDatabase(TABLES, { file: inHome(home) })
  const found = [...opencode.find({ home, env: {} })]
  expect(found.filter(({ within }) => within === undefined).length).toBe(1)
  expect(readFileSync(path, "utf8")).toContain("old")
})
