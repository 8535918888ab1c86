// checkpoint {name?}: takes a snapshot of all files, under a name.
import { isSaid } from "../../history/tree/person-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { withCurrentSession } from "./current-session.ts"
import { type ServerTool, ToolProblem } from "./port.ts"

export const checkpoint: ServerTool<{ name?: string }> = {
  name: "checkpoint",
  description: "Save the state of all files here under a name, to compare with or restore later.",
  properties: { name: { type: "string" } },
  effect: "adds",
  run: (at, { name }) =>
    withCurrentSession(at, async (session) => {
      const { head, files } = session
      if (head === null) throw new ToolProblem("The conversation is empty.", "Try again after the next step.")
      if (files.unavailable !== undefined) throw new RetconError({ code: "no-workspace", ...files.unavailable })
      const before = session.labels()
      const label = name === undefined || name.trim() === "" ? freeName([...before.values()]) : name
      await session.label(head, label)
      // If the agent's call is not on disk yet, the prompt is the last entry: a prompt names the files before its round.
      await files.markRound(head, isSaid(session.history, session.headRow) ? "before" : "after")
      const given = session.labels().get(head) ?? label
      const old = before.get(head)
      const left = files.notCovered()
      return {
        text: [
          `Saved as "${sanitiseLine(given)}".`,
          ...(old === undefined || old === given
            ? []
            : [`It replaces "${sanitiseLine(old)}", made at the same message.`]),
          ...(left.length === 0 ? [] : [`Not covered: ${count(left.length, "path")} that snapshots leave out.`]),
        ].join("\n"),
      }
    }),
}

function freeName(taken: readonly string[]): string {
  for (let n = 1; ; n++) if (!taken.includes(`checkpoint-${n}`)) return `checkpoint-${n}`
}
