// The Library in process. What an operation needs is loaded when it is asked for.
import type { Library } from "../../protocol/library.ts"
import type { AppDeps } from "../port/app-deps.ts"

export function makeLibrary(deps: AppDeps): Library {
  return {
    agents: async (request) => (await import("./agents-here.ts")).agentsHere(deps, request.cwd),
    examine: async (request, job) => (await import("./examine.ts")).examine(deps, request, job),
    secrets: async (request, job) => (await import("./examine.ts")).secrets(deps, request, job),
    find: async (query, job) => (await import("./find.ts")).find(deps, query, job),
    blame: async (request, job) => (await import("./who-wrote.ts")).blame(deps, request, job),
    gc: async (request) => (await import("./gc.ts")).collectGarbage(deps, request),
    keep: async (request, job) => (await import("./keep.ts")).keep(deps, request, job),
    moved: async (request) => (await import("./moved-folder.ts")).moved(deps, request),
    restoreKept: async (request) => (await import("./keep.ts")).restoreKept(deps, request),
    edits: async (request, job) => (await import("./edits.ts")).edits(deps, request, job),
    why: async (request, job) => (await import("./why.ts")).why(deps, request, job),
    cost: async (request, job) => (await import("./cost.ts")).cost(deps, request, job),
    usage: async (request, job) => (await import("./usage.ts")).usage(deps, request, job),
  }
}
