// What a person can do in a session, in words for front ends.
import { agentTitle } from "../../model/agent-title.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { FORMAT } from "../../model/record/version.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { AgentProgram } from "../../programs/port.ts"
import type { SessionAccess } from "../../protocol/host.ts"
import type { SessionLog } from "../../store/port.ts"

/** `program`: the program that runs turns in that agent's sessions, or why there is none. */
export function accessTo(log: SessionLog, program?: AgentProgram | { missing: string }): SessionAccess {
  const { access, agent, gone, followsMoves } = log
  switch (access) {
    case "full":
      return { can: "all" }
    case "moves":
      if (gone === undefined && program !== undefined && !("missing" in program)) return { can: "all" }
      if (followsMoves === false) return { can: "look", because: lookBecause(log), failure: readOnly(log) }
      if (program !== undefined && "missing" in program)
        return { can: "move", because: program.missing, failure: readOnly(log) }
      return { can: "move", because: movesBecause(agentTitle(agent ?? "")), failure: readOnly(log) }
    case "read-only":
      return { can: "look", because: lookBecause(log), failure: readOnly(log) }
    default:
      return unreachable(access)
  }
}

function readOnly({ agent, file, id, header }: SessionLog): Failure {
  const ours = header.writes > FORMAT.writes ? "format" : "folder"
  return { code: "read-only", path: file ?? id, because: agent === undefined ? ours : "foreign" }
}

function movesBecause(title: string): string {
  return `This session belongs to ${title}, and retcon adds no messages to it. Continue it in ${title}, or in a copy.`
}

function lookBecause({ agent, file, gone }: SessionLog): string {
  if (gone !== undefined)
    return `${agentTitle(agent ?? "")} no longer has this session: this is the copy that retcon kept.`
  if (agent !== undefined)
    return `${agentTitle(agent)} always continues at the end of a session, so there is no going back in this one. Work on a copy of it.`
  return `${file ?? "This session"} is read-only here: a newer retcon wrote it, or you have no permission to write to it.`
}
