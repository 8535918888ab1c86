// Parses JSON with the positions of its parts, so that another program's settings can be edited without touching the rest.
import { type Json, parseJson } from "../model/json.ts"

export type JsonNode =
  | { kind: "object"; start: number; end: number; parts: Member[] }
  | { kind: "list"; start: number; end: number; parts: Item[] }
  | { kind: "value"; start: number; end: number; value: Json }

/** `start` is where the key starts. */
export interface Member {
  key: string
  start: number
  end: number
  node: JsonNode
}

export interface Item {
  start: number
  end: number
  node: JsonNode
}

export type ParsedText = { ok: true; root: JsonNode } | { ok: false; line: number; problem: string }

/** `comments`: allow comments and trailing commas, as the program that owns the file does. */
export function parseText(text: string, comments: boolean): ParsedText {
  const reader = new Reader(text, comments)
  try {
    return { ok: true, root: reader.whole() }
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    return { ok: false, line: text.slice(0, reader.at).split("\n").length, problem: error.message }
  }
}

class Misfit extends Error {}

const DEEPEST = 200
const COMMENT = "there is a comment, which its program does not allow here"

class Reader {
  at = 0
  #depth = 0
  readonly #text: string
  readonly #comments: boolean

  constructor(text: string, comments: boolean) {
    this.#text = text
    this.#comments = comments
  }

  whole(): JsonNode {
    if (this.#text.startsWith("\ufeff")) this.at = 1
    this.#space()
    const root = this.#node()
    this.#space()
    if (this.at < this.#text.length) throw new Misfit(this.#isComment() ? COMMENT : "something follows its end")
    return root
  }

  #isComment(): boolean {
    return /^\/[/*]/.test(this.#text.slice(this.at, this.at + 2))
  }

  #node(): JsonNode {
    const start = this.at
    if (this.#isComment()) throw new Misfit(COMMENT)
    const first = this.#text[start]
    if (first === "{" || first === "[") {
      if (++this.#depth > DEEPEST) throw new Misfit("it is nested too deeply")
      const node = first === "{" ? this.#object(start) : this.#list(start)
      this.#depth--
      return node
    }
    if (first === '"') return { kind: "value", start, end: this.#string(), value: this.#value(start) }
    const word = /[-+.\w]+/y
    word.lastIndex = start
    if (!word.test(this.#text)) throw new Misfit("a value is missing")
    this.at = word.lastIndex
    return { kind: "value", start, end: this.at, value: this.#value(start) }
  }

  #object(start: number): JsonNode {
    const parts: Member[] = []
    this.#parts("}", (begin) => {
      if (this.#text[begin] !== '"') throw new Misfit(this.#isComment() ? COMMENT : "a key is missing")
      this.#string()
      const key = this.#value(begin)
      if (typeof key !== "string") throw new Misfit("a key is missing")
      this.#space()
      this.#take(":")
      this.#space()
      const node = this.#node()
      parts.push({ key, start: begin, end: node.end, node })
    })
    return { kind: "object", start, end: this.at, parts }
  }

  #list(start: number): JsonNode {
    const parts: Item[] = []
    this.#parts("]", (begin) => {
      const node = this.#node()
      parts.push({ start: begin, end: node.end, node })
    })
    return { kind: "list", start, end: this.at, parts }
  }

  #parts(close: string, part: (start: number) => void): void {
    this.at++
    this.#space()
    for (let first = true; this.#text[this.at] !== close; first = false) {
      if (!first) {
        this.#take(",")
        this.#space()
        if (this.#comments && this.#text[this.at] === close) break
      }
      part(this.at)
      this.#space()
    }
    this.at++
  }

  #take(expected: string): void {
    if (this.#text[this.at] !== expected) throw new Misfit(this.#isComment() ? COMMENT : `"${expected}" is missing`)
    this.at++
  }

  #string(): number {
    const string = /"(?:[^"\\\n]|\\.)*"/y
    string.lastIndex = this.at
    if (!string.test(this.#text)) throw new Misfit("a string has no end")
    this.at = string.lastIndex
    return this.at
  }

  #value(start: number): Json {
    const json = parseJson(this.#text.slice(start, this.at))
    if (!json.ok) throw new Misfit("a value is not JSON")
    return json.value
  }

  #space(): void {
    const space = this.#comments ? /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y : /[ \t\r\n]*/y
    space.lastIndex = this.at
    space.test(this.#text)
    this.at = space.lastIndex
  }
}

/** The value alone, without positions. */
export function jsonOf(node: JsonNode): Json {
  if (node.kind === "value") return node.value
  if (node.kind === "list") return node.parts.map((part) => jsonOf(part.node))
  return Object.fromEntries(node.parts.map((part) => [part.key, jsonOf(part.node)]))
}

export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.parts.find((part) => part.key === key)?.node : undefined
}
