// A value that nobody can change: it is handed out more than once, and must be the same each time.

/** Freezes the value deeply, and returns it. Without recursion, because a line may nest lists very deep. */
export function frozen<Value extends object>(value: Value): Value {
  const left: object[] = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    Object.freeze(next)
    for (const inner of Object.values(next)) if (typeof inner === "object" && inner !== null) left.push(inner)
  }
  return value
}
