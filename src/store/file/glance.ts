// What lies at a path, for whoever goes on without what is gone or may not be looked at.
import { readdirSync, type Stats, statSync } from "node:fs"
import { errno } from "./problems.ts"

/** Undefined for what is gone, and for what cannot be reached. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}

/** None for what is gone, no folder, or cannot be read. */
export function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return []
  }
}
