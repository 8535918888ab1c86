// The child's side of measures.ts: its input is its argument, its result is printed as JSON.

/** Contract: the caller names the shape that its parent sends. */
export function given(): unknown {
  return JSON.parse(process.argv[2] ?? "{}")
}

export function answer(found: object): void {
  process.stdout.write(JSON.stringify(found))
}
