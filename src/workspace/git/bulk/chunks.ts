// Two threads share the work on one list: each takes the next chunk from a shared counter.

const CHUNK = 64

export function newCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4))
}

/** Contract: over all threads, each number below `count` is in exactly one chunk. */
export function* chunks(next: Int32Array, count: number): Generator<{ start: number; end: number }> {
  for (;;) {
    const start = Atomics.add(next, 0, 1) * CHUNK
    if (start >= count) return
    yield { start, end: Math.min(start + CHUNK, count) }
  }
}
