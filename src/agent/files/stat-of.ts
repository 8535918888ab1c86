// What is at a path, for callers that expect that nothing may be there.
import { stat } from "node:fs/promises"
import { isMissing } from "../port/tool.ts"

/** Undefined if nothing is there. */
export async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
