// The messages between the two threads.

import type { StatRows } from "./stat-rows.ts"

/** `list`: the paths, separated by NULs. */
type Shared = { list: string; count: number; prefix: string; next: Int32Array; rows: StatRows }

/** `limit`: larger files are left to the main thread. */
export type HelperJob = (Shared & { kind: "stat" }) | (Shared & { kind: "read"; limit: number })

/**
 * A chunk of files that the helper read: for each file its oid ("" if it was not read) and its bytes in pack format.
 */
export type ReadChunk = { start: number; oids: string[]; lengths: number[]; raw: Uint8Array }
