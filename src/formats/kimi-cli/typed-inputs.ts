// What a person typed, and when: the wire of Kimi CLI, which only grows. Messages have neither a time nor an author.
import { isObject, type Json } from "../../model/json.ts"
import { linesIn, numberField, objectField, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { textsOf } from "./texts.ts"

interface TypedInput {
  text: string
  as: "prompt" | "steer"
  ms: number
}

/** Of a wire that is read at once. */
const MOST_BYTES = 256 * 1024 * 1024

export class TypedInputs {
  readonly #file: string
  readonly #typed: TypedInput[] = []
  /** By text: the numbers of what was typed so, ascending, and how many of them are behind us. */
  readonly #byText = new Map<string, { numbers: number[]; past: number }>()
  #read = 0
  /** What the next message is looked for from. */
  #next: number

  constructor(file: string, next: number) {
    this.#file = file
    this.#next = next
  }

  get next(): number {
    return this.#next
  }

  /** Whether nothing more was typed than messages were found for. */
  get isAtEnd(): boolean {
    return this.at(this.#next) === undefined
  }

  at(number: number): TypedInput | undefined {
    if (number >= this.#typed.length) this.#readOn()
    return this.#typed[number]
  }

  /** The number of what was typed next and reads so. A message may be missing in the context, so others are passed over. */
  take(text: string): number | undefined {
    const found = this.#find(text) ?? (this.#readOn() ? this.#find(text) : undefined)
    if (found !== undefined) this.#next = found + 1
    return found
  }

  /** The number of the command that was typed next, which stands in the context as other words. */
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
