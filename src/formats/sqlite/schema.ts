// The tables and indexes of a database: the rows of its first table contain the commands that created them.
import type { Pages } from "./pages.ts"
import { readValues } from "./row-values.ts"
import { tableCells } from "./trees.ts"

export interface SqliteTable {
  root: number
  /** In the order in which rows contain them. */
  columns: string[]
  /** The column that is the row number itself. */
  rowid: string | undefined
  indexes: { root: number; columns: string[] }[]
}

const SCHEMA_ROOT = 1

export function readSchema(pages: Pages): Map<string, SqliteTable> {
  const tables = new Map<string, SqliteTable>()
  const indexes: { table: string; root: number; sql: string | null }[] = []
  for (const { payload } of tableCells(pages, SCHEMA_ROOT)) {
    const [type, , table, root, sql] = readValues(payload.read(), 5)
    if (typeof table !== "string" || typeof root !== "number") continue
    if (type === "table" && typeof sql === "string") tables.set(table, { root, ...columnsIn(sql), indexes: [] })
    if (type === "index") indexes.push({ table, root, sql: typeof sql === "string" ? sql : null })
  }
  for (const { table, root, sql } of indexes) {
    const columns = sql === null ? undefined : indexColumns(sql)
    if (columns !== undefined) tables.get(table)?.indexes.push({ root, columns })
  }
  return tables
}

/** How a definition begins that is not a column. */
const CONSTRAINT = /^(constraint|primary|unique|check|foreign)\b/i

function columnsIn(sql: string): Pick<SqliteTable, "columns" | "rowid"> {
  const definitions = listIn(sql).filter((definition) => !CONSTRAINT.test(definition))
  const rowid = definitions.find((definition) => /^\S+\s+integer\s+primary\s+key\b/i.test(definition))
  return { columns: definitions.map(nameIn), rowid: rowid === undefined ? undefined : nameIn(rowid) }
}

/** Undefined for an index over expressions, in another order, or of only some rows. */
function indexColumns(sql: string): string[] | undefined {
  const list = listIn(sql)
  if (/\)\s*where\b/i.test(sql) || list.some((item) => !/^(\w+|`[^`]+`|"[^"]+"|\[[^\]]+\])(\s+asc)?$/i.test(item))) {
    return undefined
  }
  return list.map(nameIn)
}

/** The parts between the commas in the first parentheses. */
function listIn(sql: string): string[] {
  const start = sql.indexOf("(")
  const items: string[] = []
  let [depth, item, quote] = [0, "", ""]
  for (const letter of start === -1 ? "" : sql.slice(start + 1)) {
    if (quote !== "") quote = letter === quote ? "" : quote
    else if ("`\"'".includes(letter)) quote = letter
    else if (letter === "(") depth++
    else if (letter === ")" && depth-- === 0) break
    if (letter === "," && depth === 0 && quote === "") {
      items.push(item.trim())
      item = ""
    } else item += letter
  }
  return [...items, item.trim()].filter((each) => each !== "")
}

function nameIn(definition: string): string {
  const name = /^(?:`([^`]*)`|"([^"]*)"|\[([^\]]*)\]|(\w+))/.exec(definition)
  return name?.slice(1).find((part) => part !== undefined) ?? ""
}
