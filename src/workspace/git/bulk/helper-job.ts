// What the two threads tell each other.

import type { StatRows } from "./stat-rows.ts"

/** `list`: the paths, each ended by a NUL; undefined if they are those of the job before. */
type Shared = { list: string | undefined; count: number; prefix: string; next: Int32Array; rows: StatRows }

/** `limit`: larger files are left to the main thread. */
export type HelperJob = (Shared & { kind: "stat" }) | (Shared & { kind: "read"; limit: number })

/** A chunk of files that the helper read: per file its oid ("" when it was not read) and its bytes as a pack holds them. */
export type ReadChunk = { start: number; oids: string[]; lengths: number[]; raw: Uint8Array }
