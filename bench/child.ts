// The child's end of measures.ts: what it is given comes as its argument, what it found goes out as JSON.

/** Contract: the caller names the shape that its parent sends. */
export function given(): unknown {
  return JSON.parse(process.argv[2] ?? "{}")
}

export function answer(found: object): void {
  process.stdout.write(JSON.stringify(found))
}
