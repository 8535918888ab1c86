// A database file, read-only: its tables, and the rows of a table with a given value.
import { Pages } from "./pages.ts"
import { compareValues, readValues, type SqliteValue } from "./row-values.ts"
import { readSchema, type SqliteTable } from "./schema.ts"
import { rowidsWhere, type TableCell, tableCells, tableRow } from "./trees.ts"

/** One row. Its values are read on demand. */
export interface SqliteRow {
  /** Bytes of all its values. */
  size: number
  values(): Record<string, SqliteValue>
}

/**
 * Contract: every method throws SqliteDamage for what it cannot read. Commits by other processes while this is open are not seen,
 * but may make what is read inconsistent: see `readDatabase`.
 */
export class Database {
  readonly #pages: Pages
  readonly #tables: Map<string, SqliteTable>

  constructor(file: string) {
    this.#pages = new Pages(file)
    try {
      this.#tables = readSchema(this.#pages)
    } catch (error) {
      this.close()
      throw error
    }
  }

  has(table: string): boolean {
    return this.#tables.has(table)
  }

  *rows(name: string): Generator<SqliteRow> {
    const table = this.#tables.get(name)
    if (table === undefined) return
    for (const cell of tableCells(this.#pages, table.root)) yield rowOf(table, cell)
  }

  /** Through an index, if there is one. */
  *where(name: string, column: string, value: SqliteValue): Generator<SqliteRow> {
    const table = this.#tables.get(name)
    const index = table?.indexes.find(({ columns }) => columns[0] === column)
    if (table === undefined) return
    if (index === undefined) {
      for (const row of this.rows(name)) if (compareValues(row.values()[column] ?? null, value) === 0) yield row
      return
    }
    for (const rowid of rowidsWhere(this.#pages, index.root, [value])) {
      const cell = tableRow(this.#pages, table.root, rowid)
      if (cell !== undefined) yield rowOf(table, cell)
    }
  }

  close(): void {
    this.#pages.close()
  }
}

function rowOf({ columns, rowid: own }: SqliteTable, { rowid, payload }: TableCell): SqliteRow {
  return {
    size: payload.size,
    values() {
      const values = readValues(payload.read(), columns.length)
      const named = Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null]))
      return own === undefined ? named : { ...named, [own]: rowid }
    },
  }
}
