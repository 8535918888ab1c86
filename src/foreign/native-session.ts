// A new session for another agent, made from a path of any session: composed first, so that a dry run can show it, then saved.
import { resolve } from "node:path"
import type { AgentHomes, Format, WriteRequest, Written } from "../formats/port.ts"
import { agentTitle } from "../model/agent-title.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { sanitiseLine } from "../model/text/sanitise.ts"
import { createFiles } from "./disk/create-files.ts"
import { isBelow } from "./disk/is-below.ts"

export interface NativeSession extends Written {
  /** Contract: creates all files or none, and never replaces one. */
  save(): void
}

/** Contract: writes nothing. Throws if retcon can only read this agent's format. */
export async function composeNative(
  agent: string,
  formats: readonly Format[],
  request: WriteRequest,
): Promise<NativeSession> {
  const format = formats.find((each) => each.agent === agent)
  if (format?.write === undefined) throw cannotWrite(agent, formats)
  const written = await format.write(request)
  checkPaths(format, request.homes, written)
  return { ...written, save: () => createFiles(written.files) }
}

function cannotWrite(agent: string, formats: readonly Format[]): RetconError {
  const possible = formats.filter((format) => format.write !== undefined).map((format) => format.agent)
  const advice = `It can for: ${["retcon", ...possible].join(", ")}.`
  return new RetconError({ code: "invalid", problem: `retcon cannot create sessions of ${agentTitle(agent)}.`, advice })
}

/** Names found in a session become part of paths. Nothing may be written outside the agent's folders, whatever a format does. */
function checkPaths(format: Format, homes: AgentHomes, { files }: Written): void {
  const allowed = format.folders?.(homes) ?? []
  const outside = files.find(({ path }) => path !== resolve(path) || !isBelow(path, allowed))
  if (outside === undefined) return
  throw new RetconError({
    code: "unsafe-path",
    path: sanitiseLine(outside.path),
    problem: `it is not in a folder of ${agentTitle(format.agent)}`,
  })
}
