// Databases of agents as a test makes them: a session with a round of two steps, and many that are in the way.
import { makeDatabase } from "./make-database.ts"

/** The tables as Crush's migrations create them. */
const CRUSH = `
db.execute("pragma journal_mode = wal")
db.execute("begin")
db.execute("""CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT)""")
db.execute("CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL)")
db.execute("""CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL DEFAULT '[]', model TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL,
  FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE)""")
db.execute("CREATE INDEX idx_messages_session_id ON messages (session_id)")
n = 0
def session(id, parent=None): db.execute("insert into sessions (id, parent_session_id, title, updated_at, created_at) values (?,?,?,?,?)", (id, parent, "title of " + id, 1790000009, 1790000000))
def message(session, role, parts, summary=0):
  global n
  n += 1
  id = "019a7d1e-0000-4000-8000-%012d" % n
  db.execute("insert into messages values (?,?,?,?,?,?,?,?,?,?)", (id, session, role, json.dumps(parts), "m", 1790000000 + n, 1790000000 + n, None, "p", summary))
def part(type, **data): return {"type": type, "data": data}
`
const CRUSH_TALK = `
session("good")
message("good", "user", [part("text", text="u1 hello")])
message("good", "assistant", [part("reasoning", thinking="hm"), part("text", text="I write it."), part("tool_call", id="c1", name="write", input='{"file_path":"a.txt"}', finished=True), part("finish", reason="tool_use", time=1)])
message("good", "tool", [part("tool_result", tool_call_id="c1", name="write", content="written", is_error=False)])
message("good", "assistant", [part("text", text="It is written."), part("finish", reason="end_turn", time=1)])
message("good", "user", [part("text", text="u2 go on")])
message("good", "assistant", [part("text", text="On we go."), part("finish", reason="end_turn", time=1)])
message("good", "user", [part("shell_command", command="ls", output="a.txt", exit_code=0)])
session("task", "good")
message("task", "user", [part("text", text="look around")])
for i in range(200):
  session("other%03d" % i)
  message("other%03d" % i, "user", [part("text", text="x" * i * 20)])
db.execute("commit")`

/** The tables as Goose's session manager creates them. */
const GOOSE = `
db.execute("pragma journal_mode = wal")
db.execute("begin")
db.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)")
db.execute("""CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
  user_set_name BOOLEAN DEFAULT FALSE, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)""")
db.execute("""CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id),
  role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  tokens INTEGER, metadata_json TEXT)""")
db.execute("CREATE INDEX idx_messages_session ON messages(session_id)")
n = 0
def session(id): db.execute("insert into sessions (id, name, working_dir, created_at, updated_at) values (?,?,?,?,?)", (id, "title of " + id, "/home/you/project", "2026-11-18 20:00:00", "2026-11-18 20:05:00"))
def message(session, role, content, **metadata):
  global n
  n += 1
  db.execute("insert into messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) values (?,?,?,?,?,?)", ("msg_%d" % n, session, role, json.dumps(content), 1790000000 + n, json.dumps(metadata)))
def text(value): return {"type": "text", "text": value}
`
const GOOSE_TALK = `
session("good")
message("good", "user", [text("u1 hello")], userVisible=True, agentVisible=True)
message("good", "assistant", [{"type": "thinking", "thinking": "hm", "signature": "s"}, text("I write it."), {"type": "toolRequest", "id": "c1", "toolCall": {"status": "success", "value": {"name": "developer__text_editor", "arguments": {"path": "a.txt"}}}}])
message("good", "user", [{"type": "toolResponse", "id": "c1", "toolResult": {"status": "success", "value": {"content": [text("written")], "isError": False}}}])
message("good", "assistant", [text("It is written.")])
message("good", "user", [text("u2 go on")])
message("good", "assistant", [text("On we go."), {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "done"}])
for i in range(200):
  session("other%03d" % i)
  message("other%03d" % i, "user", [text("x" * i * 20)])
db.execute("commit")`

export const crushDatabase = (file?: string): string => made(CRUSH + CRUSH_TALK, file)
export const gooseDatabase = (file?: string): string => made(GOOSE + GOOSE_TALK, file)

/** With other lines instead of the conversation; `begin` is done, `commit` is not. */
export const crushWith = (lines: string): string => made(`${CRUSH}\n${lines}\ndb.execute("commit")`)
export const gooseWith = (lines: string): string => made(`${GOOSE}\n${lines}\ndb.execute("commit")`)

function made(lines: string, file?: string): string {
  return makeDatabase(lines, { closed: false, ...(file !== undefined && { file }) })
}
