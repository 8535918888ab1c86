// Whether a command, or part of it, failed because of its sandbox, judged by its output. Pure.

/** The C library's messages; most programs include them in their own. */
const READ_ONLY = /Read-only file system|EROFS/
const NO_NETWORK =
  /Network is unreachable|Could not resolve host|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN|Name or service not known/

/** What to tell the model; undefined if the sandbox was not the cause. */
export function blockedBy(output: string, network: "on" | "off"): string | undefined {
  if (READ_ONLY.test(output)) return "The sandbox lets commands write only to the workspace, /tmp and caches."
  if (network === "off" && NO_NETWORK.test(output)) return "The sandbox has no network."
  return undefined
}
