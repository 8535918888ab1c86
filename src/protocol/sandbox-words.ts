// How commands are confined, in words for every front end.
import type { SandboxState } from "../model/sandbox-state.ts"

/** For a status line. */
export function sandboxLabel(status: SandboxState): string {
  if (status.state === "confined") return status.network === "off" ? "sandbox, no network" : "sandbox"
  return status.state === "off" ? "sandbox off" : "no sandbox"
}

/** What the person must know once; undefined if everything is as they would expect. */
export function sandboxWarning(status: SandboxState): string | undefined {
  if (status.state !== "none") return undefined
  return `No sandbox: ${status.because}. Commands can change files outside this folder, and no restore brings those back.`
}
