// Reads a database that another program may be writing to: without a lock, so it reads again if it changed meanwhile.
import { closeSync, constants, openSync, readSync, statSync } from "node:fs"
import { Database } from "./database.ts"
import { SqliteDamage } from "./sqlite-damage.ts"

const TRIES = 5

/**
 * Contract: what `read` returns comes from one state of the database. Throws SqliteDamage if it is damaged or changes faster than
 * it can be read.
 */
export function readDatabase<Value>(file: string, read: (database: Database) => Value): Value {
  let problem = new SqliteDamage("it changes faster than it can be read")
  for (let tries = 0; tries < TRIES; tries++) {
    const before = stateOf(file)
    try {
      const value = readOnce(file, read)
      if (stateOf(file) === before) return value
    } catch (error) {
      if (!(error instanceof SqliteDamage)) throw error
      problem = error
      if (stateOf(file) === before) break
    }
  }
  throw problem
}

function readOnce<Value>(file: string, read: (database: Database) => Value): Value {
  let database: Database | undefined
  try {
    database = new Database(file)
    return read(database)
  } catch (error) {
    // A number in a page points past its end.
    throw error instanceof RangeError ? new SqliteDamage("its pages do not fit together") : error
  } finally {
    database?.close()
  }
}

/**
 * Identifies changes to the database itself, and a restart of the `-wal` file. Mere additions to that file do no harm.
 */
function stateOf(file: string): string {
  return `${stamp(file)} ${beginningOf(`${file}-wal`)}`
}

function stamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}

function beginningOf(file: string): string {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && "code" in error) return ""
    throw error
  }
  try {
    const bytes = Buffer.alloc(32)
    return bytes.toString("hex", 0, readSync(fd, bytes, 0, 32, 0))
  } finally {
    closeSync(fd)
  }
}
