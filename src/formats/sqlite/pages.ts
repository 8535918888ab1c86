// The pages of a database file, read one by one: the newest version of each, which may be in the `-wal` file beside it.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { SqliteDamage } from "./sqlite-damage.ts"
import { readWal, type WalPages } from "./wal.ts"

const MAGIC = "SQLite format 3\0"
const UTF8 = 1
const KEPT = 512

export function isSqlite(head: Buffer): boolean {
  return head.toString("latin1", 0, 16) === MAGIC
}

export class Pages {
  readonly size: number
  /** The bytes of a page that contain data. */
  readonly usable: number
  readonly count: number
  readonly #fd: number
  readonly #walFd: number | undefined
  readonly #wal: WalPages | undefined
  readonly #kept = new Map<number, Buffer>()

  /** Contract: never writes, locks or waits. Throws SqliteDamage if it is not a readable database. */
  constructor(file: string) {
    const fd = openFile(file)
    if (fd === undefined) throw new SqliteDamage("it cannot be opened")
    this.#fd = fd
    const header = Buffer.alloc(100)
    if (readSync(fd, header, 0, 100, 0) < 100 || !isSqlite(header)) {
      closeSync(fd)
      throw new SqliteDamage("it is not an SQLite database")
    }
    const size = header.readUInt16BE(16)
    this.size = size === 1 ? 65536 : size
    this.usable = this.size - (header[20] ?? 0)
    this.#walFd = openFile(`${file}-wal`)
    this.#wal = this.#walFd === undefined ? undefined : readWal(this.#walFd, this.size)
    this.count = this.#wal?.count ?? Math.floor(fstatSync(fd).size / Math.max(1, this.size))
    const problem = this.#problem()
    if (problem === undefined) return
    this.close()
    throw new SqliteDamage(problem)
  }

  /** Contract: the caller must not change the bytes. */
  page(number: number): Buffer {
    const known = this.#kept.get(number)
    if (known !== undefined) return known
    if (number < 1 || number > this.count) throw new SqliteDamage(`it has no page ${number}`)
    const page = Buffer.allocUnsafe(this.size)
    const offset = this.#wal?.offsets.get(number)
    const [fd, at] = offset === undefined ? [this.#fd, (number - 1) * this.size] : [this.#walFd as number, offset]
    if (readSync(fd, page, 0, this.size, at) < this.size) throw new SqliteDamage(`page ${number} is cut off`)
    if (this.#kept.size >= KEPT) this.#kept.delete(this.#kept.keys().next().value as number)
    this.#kept.set(number, page)
    return page
  }

  close(): void {
    closeSync(this.#fd)
    if (this.#walFd !== undefined) closeSync(this.#walFd)
  }

  #problem(): string | undefined {
    const { size } = this
    if (size < 512 || (size & (size - 1)) !== 0) return `its pages have ${size} bytes`
    if (this.usable < 480) return "its pages hold next to nothing"
    if (this.count === 0) return "it is empty"
    const encoding = this.page(1).readUInt32BE(56)
    return encoding === UTF8 || encoding === 0 ? undefined : "its texts are not UTF-8"
  }
}

function openFile(file: string): number | undefined {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
  if (fstatSync(fd).isFile()) return fd
  closeSync(fd)
  return undefined
}
