// What a person asks of the files when they move.
import type { OnConflict } from "../../workspace/port.ts"

export interface FilesRequest {
  onConflict?: OnConflict
  /** Only these paths. */
  paths?: string[]
  /** These stay as they are. */
  keep?: string[]
  /** What changed while a command ran stays too: somebody else may have changed it. */
  onlyCertain?: boolean
}

/** What is asked of the files, without the rest of a request. */
export function filesAsked({ onConflict, paths, keep, onlyCertain }: FilesRequest): FilesRequest {
  return {
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(paths === undefined ? {} : { paths }),
    ...(keep === undefined ? {} : { keep }),
    ...(onlyCertain === undefined ? {} : { onlyCertain }),
  }
}
