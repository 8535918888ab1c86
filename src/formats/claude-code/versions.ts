// What depends on the version of Claude Code that wrote a line. Measured with 2.1.119, 2.1.120, 2.1.197, 2.1.325 and 2.1.326.
import type { JsonObject } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

type Version = readonly [number, number, number]

/** It continues from the checkpoint that a line names. */
export const CHECKPOINTS: Version = [2, 1, 120]

/** It stores what it sends of an attachment, and sends what is attached to each of several parallel results. */
export const RENDERS: Version = [2, 1, 198]

/** False if the line has no version. */
export function isSince(line: JsonObject | undefined, wanted: Version): boolean {
  const parts =
    textField(line, "version")
      ?.split(".")
      .map((part) => Number.parseInt(part, 10)) ?? []
  for (const [i, number] of wanted.entries()) {
    const part = parts[i] ?? -1
    if (part !== number) return part > number
  }
  return true
}
