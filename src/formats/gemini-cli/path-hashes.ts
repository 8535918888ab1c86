// A 32-bit hash of each message on the current path, to detect whether a later line says something else.
import { NONE, path, type Row, type Tree } from "../../history/tree/tree.ts"

export class PathHashes {
  readonly #tree: Tree
  readonly #known = new Map<Row, number>()
  /** Hashes from an index, for the path to a row. Parsed on first use. */
  #stored: { at: Row; text: string } | undefined

  constructor(tree: Tree, stored?: { at: Row; text: string }) {
    this.#tree = tree
    this.#stored = stored
  }

  get(row: Row): number | undefined {
    return this.#all().get(row)
  }

  set(row: Row, hash: number): void {
    this.#all().set(row, hash)
  }

  /** The hashes of the messages up to `at`. */
  upTo(at: Row): Set<number> {
    const all = this.#all()
    const found = path(this.#tree, at).map((row) => all.get(row))
    return new Set(found.filter((hash) => hash !== undefined))
  }

  /** The hashes for the path to `at`, as text to store. */
  print(at: Row): string {
    if (this.#stored?.at === at) return this.#stored.text
    const all = this.#all()
    const rows = path(this.#tree, at)
    const bytes = Buffer.alloc(rows.length * 4)
    for (const [i, row] of rows.entries()) bytes.writeUInt32BE(all.get(row) ?? 0, i * 4)
    return bytes.toString("base64")
  }

  #all(): Map<Row, number> {
    if (this.#stored === undefined) return this.#known
    const { at, text } = this.#stored
    this.#stored = undefined
    const bytes = Buffer.from(text, "base64")
    const rows = at === NONE ? [] : path(this.#tree, at)
    if (bytes.length === rows.length * 4) {
      for (const [i, row] of rows.entries()) this.#known.set(row, bytes.readUInt32BE(i * 4))
    }
    return this.#known
  }
}
