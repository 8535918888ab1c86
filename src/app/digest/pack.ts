// A file with what is remembered about sessions, one block each: derived, deletable, and read whole. Blocks are appended; the last one
// of a key counts. What is damaged is left out, so that it is found out again.
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"

/** What is remembered under a key, as long as the state is the same. */
export interface Packed {
  state: string
  head: JsonObject
  rows: Uint32Array
}

interface Block extends Packed {
  /** Its bytes, as they are in the file. */
  bytes: Uint8Array
}

/** Of each block: the version, the length of its JSON and that of its rows in words, and a sum over both. */
const HEADER = 4

export class DigestPack {
  readonly #file: string
  readonly #version: number
  readonly #blocks = new Map<string, Block>()
  readonly #used = new Set<string>()
  readonly #added: Block[] = []
  /** How many bytes nobody needs: older blocks of a key. */
  #waste = 0
  #damaged = false

  /** `version`: to be increased when the same session would be remembered differently. */
  constructor(file: string, version: number) {
    this.#file = file
    this.#version = version
    this.#read()
  }

  get(key: string, state: string): Packed | undefined {
    const known = this.#blocks.get(key)
    this.#used.add(key)
    return known?.state === state ? known : undefined
  }

  /** What is known of an earlier state. */
  older(key: string): Packed | undefined {
    return this.#blocks.get(key)
  }

  set(key: string, { state, head, rows }: Packed): void {
    const block = { state, head, rows, bytes: blockOf(this.#version, { ...head, key, state }, rows) }
    this.#waste += this.#blocks.get(key)?.bytes.length ?? 0
    this.#used.add(key)
    this.#blocks.set(key, block)
    this.#added.push(block)
  }

  /** Never fails: this is only a memory. `all`: every session was asked for, so the others are gone. */
  save(all: boolean): void {
    if (all) for (const [key, { bytes }] of this.#blocks) if (!this.#used.has(key)) this.#waste += bytes.length
    const live = [...this.#blocks].filter(([key]) => !all || this.#used.has(key)).map(([, { bytes }]) => bytes)
    const size = live.reduce((sum, { length }) => sum + length, 0)
    orNothing(() => mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 }))
    if (this.#damaged || this.#waste > size + 65_536) replaceIfPossible(this.#file, Buffer.concat(live))
    else if (this.#added.length > 0) this.#append(Buffer.concat(this.#added.map(({ bytes }) => bytes)))
    this.#added.length = 0
  }

  /** In one write: another process may append at the same time. */
  #append(bytes: Buffer): void {
    orNothing(() => {
      const fd = openSync(this.#file, "a", 0o600)
      try {
        writeSync(fd, bytes)
      } finally {
        closeSync(fd)
      }
    })
  }

  #read(): void {
    const file = orNothing(() => readFileSync(this.#file))
    if (file === undefined) return
    // A view of words has to begin at a multiple of four.
    const bytes =
      file.byteOffset % 4 === 0 ? file : Buffer.from(file.buffer.slice(file.byteOffset, file.byteOffset + file.length))
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2)
    for (let at = 0; at < words.length; ) {
      const [version, json = 0, rows = 0, sum] = words.subarray(at, at + HEADER)
      const end = at + HEADER + Math.ceil(json / 4) + rows
      const body = words.subarray(at + HEADER, end)
      if (version !== this.#version || end > words.length || sum !== sumOf(body)) break
      const start = bytes.byteOffset + (at + HEADER) * 4
      const head = parseJson(Buffer.from(bytes.buffer, start, json).toString("latin1"))
      const block = bytes.subarray(at * 4, end * 4)
      if (head.ok && isObject(head.value)) this.#know(head.value, words.subarray(end - rows, end), block)
      at = end
      if (at * 4 === bytes.length) return
    }
    this.#damaged = true
  }

  #know({ key, state, ...head }: JsonObject, rows: Uint32Array, bytes: Uint8Array): void {
    if (typeof key !== "string" || typeof state !== "string") return
    this.#waste += this.#blocks.get(key)?.bytes.length ?? 0
    this.#blocks.set(key, { state, head, rows, bytes })
  }
}

function blockOf(version: number, head: Json, rows: Uint32Array): Uint8Array {
  const json = Buffer.from(ascii(JSON.stringify(head)), "latin1")
  const words = new Uint32Array(HEADER + Math.ceil(json.length / 4) + rows.length)
  new Uint8Array(words.buffer).set(json, HEADER * 4)
  words.set(rows, words.length - rows.length)
  words.set([version, json.length, rows.length, sumOf(words.subarray(HEADER))])
  return new Uint8Array(words.buffer)
}

function sumOf(words: Uint32Array): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ (words[i] as number), 0x01000193) + (sum >>> 15)
  return sum >>> 0
}

function ascii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
