// What the operating system says, as our failures.
import { RetconError } from "../../model/failure.ts"

export function errno(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}

/** Contract: never answers; throws a RetconError for what an operating system may do any day. */
export function fail(error: unknown, path: string): never {
  if (error instanceof RetconError) throw error
  const cause = { cause: error }
  switch (errno(error)) {
    case "ENOENT":
      throw new RetconError({ code: "vanished", path }, cause)
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      throw new RetconError({ code: "disk-full", path }, cause)
    case "EACCES":
    case "EPERM":
    case "EROFS":
      throw new RetconError({ code: "read-only", path, because: "folder" }, cause)
    default:
      throw new RetconError({ code: "io", path, problem: error instanceof Error ? error.message : String(error) }, cause)
  }
}

/** Runs `work`, with the system's errors as ours. */
export function attempt<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    return fail(error, path)
  }
}
