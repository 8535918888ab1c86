// What the operating system says, as our failures.
import { RetconError } from "../../model/failure.ts"

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])

export function errno(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** Contract: never answers; throws a RetconError for what an operating system may do any day. */
export function fail(error: unknown, path: string): never {
  if (error instanceof RetconError) throw error
  const cause = { cause: error }
  const code = errno(error) ?? ""
  if (code === "ENOENT") throw new RetconError({ code: "vanished", path }, cause)
  if (FULL.has(code)) throw new RetconError({ code: "disk-full", path }, cause)
  if (FORBIDDEN.has(code)) throw new RetconError({ code: "read-only", path, because: "folder" }, cause)
  throw new RetconError({ code: "io", path, problem: error instanceof Error ? error.message : String(error) }, cause)
}

/** Runs `work`, with the system's errors as ours. */
export function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    return fail(error, path)
  }
}
