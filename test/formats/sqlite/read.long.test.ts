import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readDatabase } from "../../../src/formats/sqlite/read-database.ts"
import type { SqliteValue } from "../../../src/formats/sqlite/row-values.ts"
import { SqliteDamage } from "../../../src/formats/sqlite/sqlite-damage.ts"
import { temporaryFolder } from "../read-session.ts"
import { makeDatabase } from "./make-database.ts"

type Values = Record<string, SqliteValue>

function all(file: string, table: string): Values[] {
  return readDatabase(file, (database) => [...database.rows(table)].map((row) => row.values()))
}

function where(file: string, table: string, column: string, value: SqliteValue): Values[] {
  return readDatabase(file, (database) => [...database.where(table, column, value)].map((row) => row.values()))
}

const MANY = `
db.execute("create table t (id integer primary key, name text, body text)")
db.execute("create index by_name on t (name, id)")
db.execute("begin")
for i in range(1000): db.execute("insert into t values (?, ?, ?)", (i, "n%d" % (i % 7), "b" * (i * 37 % 9000)))
db.execute("commit")
`

describe("a database that SQLite has written", () => {
  test("with pages of any size: every row, however long", () => {
    const folder = temporaryFolder()
    const file = (size: number) => join(folder, `${size}.db`)
    const sizes = [512, 1024, 4096, 65536]
    const lines = sizes.map((size) => {
      const open = `db = sqlite3.connect(${JSON.stringify(file(size))}, isolation_level=None)`
      return `${open}\ndb.execute("pragma page_size = ${size}")${MANY}`
    })
    makeDatabase(lines.join("\n"))
    for (const size of sizes) {
      const rows = all(file(size), "t")
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, i) => i))
      expect(rows.every(({ name }, i) => name === `n${i % 7}`)).toBe(true)
      expect(rows.every(({ body }, i) => (body as string).length === (i * 37) % 9000)).toBe(true)
    }
  })

  test("rows are found through an index as without one", () => {
    const file = makeDatabase(MANY)
    const found = where(file, "t", "name", "n3")
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, i) => i).filter((i) => i % 7 === 3))
    expect(where(file, "t", "id", 17)).toEqual(all(file, "t").slice(17, 18))
    expect(where(file, "t", "name", "n")).toEqual([])
    expect(where(file, "t", "name", "n9")).toEqual([])
    expect(where(file, "nothing", "name", "n9")).toEqual([])
  })

  test("numbers, texts, bytes and nulls are read as they were written", () => {
    const file = makeDatabase(`
db.execute("create table v (a, b, \\"c, d\\" text default ('x'), [e] blob, constraint k unique (a, b))")
for a, b in [(0, 1), (-1, 127), (-129, 40000), (2**31, -2**40), (2**52, 1.5)]: db.execute("insert into v values (?, ?, 'ä€😀', x'00ff')", (a, b))
db.execute("insert into v values (null, '', null, null)")`)
    const rows = all(file, "v")
    expect(rows.map(({ a, b }) => [a, b])).toEqual([
      [0, 1],
      [-1, 127],
      [-129, 40000],
      [2 ** 31, -(2 ** 40)],
      [2 ** 52, 1.5],
      [null, ""],
    ])
    expect(rows[0]?.["c, d"]).toBe("ä€😀")
    expect(rows[0]?.e).toEqual(Buffer.from([0, 255]))
  })

  test("a column that was added later is empty in older rows", () => {
    const file = makeDatabase(`
db.execute("create table t (a text)")
db.execute("insert into t values ('old')")
db.execute("alter table t add column b text")
db.execute("insert into t values ('new', 'b')")`)
    expect(all(file, "t")).toEqual([
      { a: "old", b: null },
      { a: "new", b: "b" },
    ])
  })

  test("rows that were deleted are gone, and those in their place are there", () => {
    const file = makeDatabase(`${MANY}
db.execute("delete from t where id % 3 = 0")
db.execute("insert into t values (9999, 'n1', 'last')")`)
    const rows = all(file, "t")
    expect(rows.length).toBe(667)
    expect(rows.at(-1)).toEqual({ id: 9999, name: "n1", body: "last" })
    expect(where(file, "t", "name", "n1").length).toBe(rows.filter(({ name }) => name === "n1").length)
  })
})

describe("a database that a program has open", () => {
  const WAL = 'db.execute("pragma journal_mode = wal")\ndb.execute("pragma wal_autocheckpoint = 0")'

  test("what was committed is read, even from the file beside the database; nothing is changed", () => {
    const file = makeDatabase(`${WAL}${MANY}\ndb.execute("update t set body = 'changed' where id = 500")`, {
      closed: false,
    })
    const before = [readFileSync(file), readFileSync(`${file}-wal`)]
    expect(all(file, "t")[500]?.body).toBe("changed")
    expect(where(file, "t", "name", "n2").length).toBe(143)
    expect(before[0]?.equals(readFileSync(file))).toBe(true)
    expect(before[1]?.equals(readFileSync(`${file}-wal`))).toBe(true)
  })

  test("what was not committed, or was only half written, is not", () => {
    const file = makeDatabase(`${WAL}${MANY}`, { closed: false })
    const begun = makeDatabase(
      'db.execute("pragma cache_size = 1")\ndb.execute("begin")\ndb.execute("update t set body = body || body")',
      {
        file,
        closed: false,
      },
    )
    expect(all(begun, "t").map(({ body }) => (body as string).length)).toEqual(
      Array.from({ length: 1000 }, (_, i) => (i * 37) % 9000),
    )
    const wal = readFileSync(`${file}-wal`)
    writeFileSync(`${file}-wal`, wal.subarray(0, wal.length - 1000))
    expect(() => all(file, "t")).not.toThrow()
  })

  test("a stale file beside it, of another database or torn at its beginning, does not count", () => {
    const file = makeDatabase(MANY)
    writeFileSync(`${file}-wal`, Buffer.alloc(100_000, 7))
    expect(all(file, "t").length).toBe(1000)
  })
})

describe("a damaged database", () => {
  test("is refused with a message, or read as far as it makes sense; it never hangs", () => {
    const file = makeDatabase(`db.execute("pragma page_size = 512")
db.execute("create table t (id integer primary key, name text)")
db.execute("create index by_name on t (name)")
db.execute("begin")
for i in range(300): db.execute("insert into t values (?, ?)", (i, "n%d" % i + "x" * (i * 7 % 900)))
db.execute("commit")`)
    const whole = readFileSync(file)
    const change = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(change, fc.nat({ max: whole.length }), (changes, cut) => {
        const bytes = Buffer.from(cut % 3 === 0 ? whole.subarray(0, cut) : whole)
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
        writeFileSync(file, bytes)
        try {
          all(file, "t")
          where(file, "t", "name", "n7")
        } catch (error) {
          expect(error).toBeInstanceOf(SqliteDamage)
        }
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ["an empty file", Buffer.alloc(0)],
    ["a text", Buffer.from("SQLite is not this")],
    ["a header and nothing else", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(84)])],
  ])("%s is none", (_, bytes) => {
    const file = join(temporaryFolder(), "none.db")
    writeFileSync(file, bytes)
    expect(() => all(file, "t")).toThrow(SqliteDamage)
  })

  test("texts in another encoding are refused with a message", () => {
    const file = makeDatabase('db.execute("pragma encoding = \'UTF-16\'")\ndb.execute("create table t (a)")')
    expect(() => all(file, "t")).toThrow("not UTF-8")
  })
})
