// Whether data from outside is a failure that this version has words for.
import { isObject } from "../json.ts"
import type { Failure, FailureCode } from "./failure.ts"

const CODES: Readonly<Record<FailureCode, true>> = {
  "at-start": true,
  "too-few-rounds": true,
  "nothing-to-undo": true,
  "nothing-to-redo": true,
  "nothing-to-compact": true,
  "not-found": true,
  ambiguous: true,
  "no-session": true,
  invalid: true,
  unrelated: true,
  "moved-elsewhere": true,
  "session-busy": true,
  "perhaps-running": true,
  "not-honoured": true,
  "turn-ended": true,
  exists: true,
  "format-newer": true,
  "read-only": true,
  damaged: true,
  "not-a-session": true,
  "disk-full": true,
  vanished: true,
  overwritten: true,
  io: true,
  "not-printed": true,
  "no-workspace": true,
  "snapshot-gone": true,
  conflicts: true,
  "too-many-files": true,
  "unsafe-path": true,
  "restore-failed": true,
}

/** By its code: a newer version may have more of them. */
export function isFailure(value: unknown): value is Failure {
  return isObject(value) && typeof value.code === "string" && Object.hasOwn(CODES, value.code)
}
