// Whether a command, or a part of it, failed because of its sandbox, from what it printed. Pure.

/** As the C library says it; what a program makes of that usually still holds it. */
const READ_ONLY = /Read-only file system|EROFS/
const NO_NETWORK =
  /Network is unreachable|Could not resolve host|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN|Name or service not known/

/** What to tell the model; undefined when it is none of the sandbox's doing. */
export function blockedBy(output: string, network: "on" | "off"): string | undefined {
  if (READ_ONLY.test(output)) return "The sandbox lets commands write only to the workspace, /tmp and caches."
  if (network === "off" && NO_NETWORK.test(output)) return "The sandbox has no network."
  return undefined
}
