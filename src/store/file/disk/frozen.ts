// A value that nobody can change: what is handed out twice must be the same both times.

/** Freezes all of it, and returns it. Without recursion, because a line may nest lists very deep. */
export function frozen<Value extends object>(value: Value): Value {
  const left: object[] = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    Object.freeze(next)
    for (const inner of Object.values(next)) if (typeof inner === "object" && inner !== null) left.push(inner)
  }
  return value
}
