/** Ends a switch over a closed union: if a new member is not handled, the code no longer compiles. */
export function unreachable(value: never): never {
  throw new TypeError(`Unhandled case: ${JSON.stringify(value)}`)
}
