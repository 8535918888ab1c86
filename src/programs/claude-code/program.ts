// The installed Claude Code, for one of its own sessions or a new one.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { ChildEnd } from "../child.ts"
import type { AgentProgram } from "../port.ts"
import { type ClaudeProgramOptions, endWords } from "./launch.ts"
import { oneShot } from "./one-shot.ts"
import { twoWay } from "./two-way.ts"

/** One that does not speak the two-way mode is started anew for each prompt: an older one, or a program in its place. */
export function claudeProgram(options: ClaudeProgramOptions): AgentProgram {
  return {
    async open(request) {
      const live = await twoWay(options, request)
      if (live === "not answered") return oneShot(options, request)
      if ("said" in live) throw cannotStart(live)
      return live
    },
  }
}

function cannotStart(end: ChildEnd): RetconError {
  const problem = end.code === null ? `Claude Code could not be started: ${end.problem}` : endWords(end)
  return new RetconError({ code: "invalid", problem, advice: "Run claude in a terminal to see what it needs." })
}
