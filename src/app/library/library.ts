// The Library in process. What an operation needs is loaded when it is asked for.
import type { Library } from "../../protocol/library.ts"
import type { AppDeps } from "../port/app-deps.ts"

export function makeLibrary(deps: AppDeps): Library {
  return {
    find: async (query, job) => (await import("./find.ts")).find(deps, query, job),
    usage: async (request, job) => (await import("./usage.ts")).usage(deps, request, job),
  }
}
