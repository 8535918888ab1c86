// What a person typed, and when, from Kimi CLI's wire log, which only grows. Messages themselves have neither time nor author.
import { isObject, type Json } from "../../model/json.ts"
import { linesIn, numberField, objectField, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { textsOf } from "./texts.ts"

interface TypedInput {
  text: string
  as: "prompt" | "steer"
  ms: number
}

/** The most bytes of a wire log to read. */
const MOST_BYTES = 256 * 1024 * 1024

export class TypedInputs {
  readonly #file: string
  readonly #typed: TypedInput[] = []
  /** For each text, the ascending numbers of the inputs with it, and how many of them have been passed. */
  readonly #byText = new Map<string, { numbers: number[]; past: number }>()
  #read = 0
  /** The number from which to look for the next message. */
  #next: number

  constructor(file: string, next: number) {
    this.#file = file
    this.#next = next
  }

  get next(): number {
    return this.#next
  }

  /** Whether a message was found for everything that was typed. */
  get isAtEnd(): boolean {
    return this.at(this.#next) === undefined
  }

  at(number: number): TypedInput | undefined {
    if (number >= this.#typed.length) this.#readOn()
    return this.#typed[number]
  }

  /** The number of the next input with this text. Skips others, because a message may be missing from the context. */
  take(text: string): number | undefined {
    const found = this.#find(text) ?? (this.#readOn() ? this.#find(text) : undefined)
    if (found !== undefined) this.#next = found + 1
    return found
  }

  /** The number of the next command, which the context has in other words. */
  takeCommand(): number | undefined {
    if (this.at(this.#next)?.text.startsWith("/") !== true) return undefined
    return this.#next++
  }

  #find(text: string): number | undefined {
    const same = this.#byText.get(text)
    if (same === undefined) return undefined
    while (same.past < same.numbers.length && (same.numbers[same.past] as number) < this.#next) same.past++
    return same.numbers[same.past]
  }

  #readOn(): boolean {
    const bytes = readHead(this.#file, MOST_BYTES, this.#read)
    const end = bytes.lastIndexOf(10) + 1
    this.#read += end
    for (const line of linesIn(bytes.subarray(0, end))) this.#add(line)
    return end > 0
  }

  #add(line: Json): void {
    const message = objectField(line, "message")
    const type = textField(message, "type")
    const payload = objectField(message, "payload")
    if ((type !== "TurnBegin" && type !== "SteerInput") || !isObject(payload)) return
    const text = textsOf(payload.user_input).join("\n")
    const same = this.#byText.get(text)
    if (same === undefined) this.#byText.set(text, { numbers: [this.#typed.length], past: 0 })
    else same.numbers.push(this.#typed.length)
    const ms = (numberField(line, "timestamp") ?? 0) * 1000
    this.#typed.push({ text, as: type === "TurnBegin" ? "prompt" : "steer", ms })
  }
}
