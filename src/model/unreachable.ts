/** Ends a switch over a closed union: a new member that is not handled no longer compiles. */
export function unreachable(value: never): never {
  throw new TypeError(`Unhandled case: ${JSON.stringify(value)}`)
}
