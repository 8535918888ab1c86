// What a person wants to happen to the files in a move.
import type { OnConflict } from "../../../workspace/port.ts"

export interface FilesRequest {
  onConflict?: OnConflict
  /** Only these paths. */
  paths?: string[]
  /** Leave these alone. */
  keep?: string[]
  /** Also leave files that someone else may have changed while a command ran. */
  onlyCertain?: boolean
}

/** The part of a request that is about files. */
export function filesAsked({ onConflict, paths, keep, onlyCertain }: FilesRequest): FilesRequest {
  return {
    ...(onConflict === undefined ? {} : { onConflict }),
    ...(paths === undefined ? {} : { paths }),
    ...(keep === undefined ? {} : { keep }),
    ...(onlyCertain === undefined ? {} : { onlyCertain }),
  }
}
