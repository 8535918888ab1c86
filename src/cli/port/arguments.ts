// Parses arguments. Anything that makes no sense is a usage error, before anything is opened or written.
import { UsageError } from "./errors.ts"

/** 1, 2, 3, …: no sign, no fraction, no words. */
export function atLeastOne(text: string): number {
  const number = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(number) || number < 1) {
    throw new UsageError(`"${text}" is not a whole number above 0.`, "Use 1, 2, 3, …")
  }
  return number
}

/** 0 to 65535. */
export function portNumber(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError(`"${text}" is not a port number.`, "Use a number from 1 to 65535, or 0 to pick a free one.")
  }
  return Number(text)
}

/** A person's answer to a question that ends with [y/N]. */
export function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer.trim())
}

/** An amount above 0, such as 0.5. */
export function positive(text: string): number {
  const number = Number(text)
  if (!/^[0-9]*\.?[0-9]+$/.test(text) || number <= 0) {
    throw new UsageError(`"${text}" is not an amount above 0.`, "Use a number such as 2 or 0.5.")
  }
  return number
}

/** One value each time the option is given: the next word may be the prompt. */
export function eachOf(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}
