// A workspace whose files are not covered. Everything else works; a request about files is answered with the reason.
import type { Advice } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Unavailable, Workspace } from "../port.ts"

/** Contract: rejects with `no-workspace` and the reason wherever a result would need files; never touches the disk. */
export function openNoWorkspace(reason: string, advice?: Advice): Workspace {
  const unavailable: Unavailable = { reason, ...(advice === undefined ? {} : { advice }) }
  const refuse = async (): Promise<never> => {
    throw new RetconError({ code: "no-workspace", ...unavailable })
  }
  return {
    unavailable,
    snapshot: refuse,
    put: refuse,
    diff: refuse,
    patch: refuse,
    blob: refuse,
    check: refuse,
    planRestore: refuse,
    restore: refuse,
    recover: async () => ({ outcome: "nothing" }),
    copy: refuse,
    gc: async () => ({ bytesBefore: 0, bytesAfter: 0, dropped: [], overBudget: 0 }),
    usage: async () => ({ bytes: 0, budget: 0, objects: 0 }),
    commits: async () => ({ commits: [], more: 0 }),
    committedBefore: async () => [],
    close: async () => {},
  }
}
