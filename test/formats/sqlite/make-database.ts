// Real databases, made by the SQLite that Python brings along.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { temporaryFolder } from "../read-session.ts"

/** Runs Python with `db` open on a new file, in a transaction only where the lines begin one; answers the file's path. */
export function makeDatabase(lines: string, { file = join(temporaryFolder(), "test.db"), closed = true } = {}): string {
  const begin = `import sqlite3, os, json\ndb = sqlite3.connect(${JSON.stringify(file)}, isolation_level=None)\n`
  // A database that is not closed keeps its last changes in the file beside it.
  execFileSync("python3", ["-c", `${begin}${lines}\n${closed ? "db.close()" : "os._exit(0)"}`])
  return file
}
