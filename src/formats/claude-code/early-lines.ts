// Lines that come too early, and wait. When Claude Code starts slowly, it writes its first answer before the first prompt: such lines
// wait until their parent is there. What hooks say of one of several parallel calls waits until all their results are there.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Span } from "../port.ts"
import type { LineFacts } from "./line-facts.ts"

interface EarlyLine {
  facts: LineFacts
  span: Span
}

/** The most lines to hold. In a file whose beginning is lost, the parent never comes. */
const MOST = 64

export class EarlyLines {
  #lines: EarlyLine[] = []

  constructor(state: Json | undefined) {
    if (Array.isArray(state)) this.#lines = state.flatMap(lineIn)
  }

  state(): Json {
    return this.#lines.map(({ facts, span }) => ({
      facts: {
        ...facts,
        said: { ...facts.said },
        answer: facts.answer ?? null,
        id: [...facts.id],
        parent: [...facts.parent],
      },
      span: { ...span },
    }))
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0
  }

  /** False if there are too many, or if a person has spoken since: then the parent is lost. */
  hold(facts: LineFacts, span: Span): boolean {
    if (this.#lines.length >= MOST || facts.said.role === "user") return false
    this.keep(facts, span)
    return true
  }

  keep(facts: LineFacts, span: Span): void {
    this.#lines.push({ facts: { ...facts, id: facts.id.slice(), parent: facts.parent.slice() }, span: { ...span } })
  }

  has(id: Uint32Array): boolean {
    return this.#lines.some(({ facts }) => facts.id.every((word, i) => word === id[i]))
  }

  /** Removes and returns the first one whose parent is there. */
  takeReady(isThere: (id: Uint32Array) => boolean): EarlyLine | undefined {
    const at = this.#lines.findIndex(({ facts }) => isThere(facts.parent))
    return at < 0 ? undefined : this.#lines.splice(at, 1)[0]
  }

  takeAll(): EarlyLine[] {
    return this.#lines.splice(0)
  }
}

function lineIn(value: Json): EarlyLine[] {
  if (!isObject(value) || !isObject(value.facts) || !isObject(value.span)) return []
  const { id, parent, answer, ...rest } = value.facts as JsonObject & Omit<LineFacts, "id" | "parent" | "answer">
  const facts = {
    ...rest,
    id: wordsIn(id),
    parent: wordsIn(parent),
    answer: typeof answer === "string" ? answer : undefined,
  }
  return [{ facts, span: value.span as unknown as Span }]
}

function wordsIn(value: Json | undefined): Uint32Array {
  return Uint32Array.from(Array.isArray(value) ? value.map(Number) : [0, 0, 0, 0])
}
