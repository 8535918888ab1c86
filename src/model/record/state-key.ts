// The keys under which retcon itself records values that follow the path. Others may use any other key.

/** The system prompt. */
export const SYSTEM_KEY = "system"

/** The model that a person chose. */
export const MODEL_KEY = "model"

/** How much the model should think. */
export const THINKING_KEY = "thinking"

/** The agent's todo list. */
export const TODOS_KEY = "todos"

/** Each of these names an entry whose parts no context shows: `{entry, parts: "media" | "all"}`. */
export const LEFT_OUT_KEY = "left-out"

/** Rows contain these numbers, so that a value is found without reading entries of other keys. 0: any other key. */
const KEYS = ["", SYSTEM_KEY, MODEL_KEY, THINKING_KEY, TODOS_KEY, LEFT_OUT_KEY]

/** The keys that have a number. */
export const NUMBERED_KEYS: readonly (readonly [string, number])[] = KEYS.flatMap((key, n) =>
  n === 0 ? [] : [[key, n]],
)

export const SYSTEM_NUMBER = KEYS.indexOf(SYSTEM_KEY)

export function keyNumber(key: string): number {
  return Math.max(0, KEYS.indexOf(key))
}

/** Undefined for 0, which means any other key. */
export function keyOfNumber(number: number): string | undefined {
  return KEYS[number] || undefined
}
