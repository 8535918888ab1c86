// Where the head was after each line. Kimi Code's branches refer to lines by number, from 1, not counting blank lines.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json } from "../../model/json.ts"

/** Packed as differences, two or three bytes per change of the head, because all of it goes into the index. */
export class LineHeads {
  #bytes = Buffer.alloc(64)
  #size = 0
  #line = 0
  #head: Row = NONE
  /** Unpacked on first use by a branch. Ascending: the head is `heads[i]` from line `lines[i]` on. */
  #open: { lines: number[]; heads: Row[] } | undefined

  static from(state: Json | undefined): LineHeads {
    const heads = new LineHeads()
    if (!isObject(state) || typeof state.bytes !== "string") return heads
    heads.#bytes = Buffer.from(state.bytes, "base64")
    heads.#size = heads.#bytes.length
    heads.#line = Number(state.line)
    heads.#head = Number(state.head)
    return heads
  }

  state(): Json {
    return { bytes: this.#bytes.toString("base64", 0, this.#size), line: this.#line, head: this.#head }
  }

  /** `apart`: an answer begins here, and a branch from before it must not include this line. */
  add(line: number, head: Row, apart = false): void {
    if (head === this.#head && !apart) return
    this.#pack(line - this.#line)
    // Rows count from 1 here, so that NONE is 0. An even difference goes forwards, an odd one back.
    const step = numberOf(head) - numberOf(this.#head)
    this.#pack(step < 0 ? -2 * step - 1 : 2 * step)
    this.#line = line
    this.#head = head
    this.#open?.lines.push(line)
    this.#open?.heads.push(head)
  }

  at(line: number): Row {
    this.#open ??= this.#unpacked()
    const { lines, heads } = this.#open
    let [low, high] = [0, lines.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((lines[middle] as number) <= line) low = middle + 1
      else high = middle
    }
    return low === 0 ? NONE : (heads[low - 1] as Row)
  }

  /** The ranges of lines, inclusive, after which the head was at a row; those before an answer began come first. */
  *rangesOf(row: Row, last: number): Generator<{ from: number; to: number }> {
    this.#open ??= this.#unpacked()
    const { lines, heads } = this.#open
    for (const [i, head] of heads.entries()) {
      if (head === row) yield { from: lines[i] as number, to: (lines[i + 1] ?? last + 1) - 1 }
    }
  }

  #pack(value: number): void {
    if (this.#size + 8 > this.#bytes.length) {
      const longer = Buffer.alloc(this.#bytes.length * 2 + 64)
      this.#bytes.copy(longer, 0, 0, this.#size)
      this.#bytes = longer
    }
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes[this.#size++] = (rest % 128) + 128
    this.#bytes[this.#size++] = rest
  }

  #unpacked(): { lines: number[]; heads: Row[] } {
    const open: { lines: number[]; heads: Row[] } = { lines: [], heads: [] }
    let [at, line, number] = [0, 0, 0]
    const next = () => {
      let [value, unit] = [0, 1]
      for (; at < this.#size; unit *= 128) {
        const byte = this.#bytes[at++] as number
        value += (byte % 128) * unit
        if (byte < 128) break
      }
      return value
    }
    while (at < this.#size) {
      line += next()
      const step = next()
      number += step % 2 === 0 ? step / 2 : -(step + 1) / 2
      open.lines.push(line)
      open.heads.push(number === 0 ? NONE : number - 1)
    }
    return open
  }
}

function numberOf(row: Row): number {
  return row === NONE ? 0 : row + 1
}
