// restore {to, paths?, apply?}: files as they were. Only a plan, unless the person lets agents carry it out.
import { readConfig } from "../../app/config/config-file.ts"
import { configFile } from "../../app/config/home.ts"
import { readSettings } from "../../app/config/settings.ts"
import { checkpointsOf, type NamedMoment, namedMoment } from "../../app/open/named-moment.ts"
import { workspacePaths } from "../../app/open/workspace-path.ts"
import { among } from "../../history/files/applied-changes.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { shortId } from "../../model/id.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import type { FilesRequest } from "../../session/files/known/files-request.ts"
import type { Session } from "../../session/session.ts"
import { filesLines } from "../move/files-lines.ts"
import { conflictsText } from "../move/run-move.ts"
import type { Cli } from "../port/cli.ts"
import { withCurrentSession } from "./current-session.ts"
import { type ServerTool, ToolProblem } from "./port.ts"

export const restore: ServerTool<{ to: string; paths?: string[]; apply?: boolean }> = {
  name: "restore",
  description: "Plan to bring files back to a checkpoint, prompt (@N) or entry. Changes them only with apply.",
  properties: {
    to: { type: "string" },
    paths: { type: "array", items: { type: "string" } },
    apply: { type: "boolean" },
    cursor: { type: "string" },
  },
  required: ["to"],
  effect: "replaces",
  run: (at, { to, paths: typed = [], apply = false }) =>
    withCurrentSession(at, async (session) => {
      const then = await namedMoment(session, to)
      if (then.late) {
        const problem = `There is no snapshot of the files from ${sanitiseLine(to)}, only later ones.`
        throw new ToolProblem(problem, checkpointsOf(session))
      }
      const paths = workspacePaths(at.cli, session, typed)
      const request = await requestFor(session, then, paths)
      const allowed = mayApply(at.cli)
      const does = apply && allowed
      if (request === undefined) return { text: `No file differs from ${sanitiseLine(to)}. Nothing was changed.` }
      const result = await session.files.restore(to, { ...request, by: "agent", caller: at.parent, dryRun: !does })
      const byHand = commandFor(session, to, request)
      return {
        text: [
          ...resultLines(result, to),
          ...(result.outcome === "refused" || result.files.length === 0 ? [] : whoseLines(session, then)),
          ...endLines(session, result, { apply, allowed, byHand }),
        ].join("\n"),
      }
    }),
}

/** As the file says now: the person may have changed it since the server started. */
function mayApply({ home }: Cli): boolean {
  return readSettings(readConfig(configFile(home))).settings["mcp.restore"] === "apply"
}

/**
 * If calls were watched, only the agent's changes are taken back. Otherwise the files get their earlier bytes, no
 * matter who changed them. Undefined: no file differs.
 */
async function requestFor(
  session: Session,
  then: NamedMoment,
  paths: string[] | undefined,
): Promise<FilesRequest | undefined> {
  if (then.watched || session.files.earlier !== undefined) return paths === undefined ? {} : { paths }
  const { id: now } = await then.files.snapshot()
  const differing = (await then.files.diff(then.snapshot, now)).map(({ path }) => path).filter(among(paths))
  return differing.length === 0 ? undefined : { paths: differing, onConflict: "theirs" }
}

function resultLines(result: MoveResult, to: string): string[] {
  if (result.outcome === "refused") {
    const { failure, conflicts = [] } = result
    const { message, advice } = wordsFor(failure)
    return [...(conflicts.length === 0 ? [] : [conflictsText(conflicts).trimEnd()]), message, shellAdvice(advice)]
  }
  const lines = filesLines(result)
  if (lines.length === 0) {
    const none = `retcon knows no file that the agent changed since ${sanitiseLine(to)}.`
    return [`${none} Nothing was changed; other edits stay.`]
  }
  return result.files.length > 0 ? lines : ["Nothing was changed.", ...lines]
}

/** Of copies, the lines about the files say it. */
function whoseLines({ files }: Session, { watched }: NamedMoment): string[] {
  if (files.earlier !== undefined) return []
  return watched
    ? ["Only what the agent's calls changed: other edits stay."]
    : ["No call was recorded since then: these are all changes, by the agent and by others."]
}

interface Way {
  apply: boolean
  allowed: boolean
  /** What a person would type for this; undefined if that would be too long. */
  byHand: string | undefined
}

function endLines(session: Session, result: MoveResult, { apply, allowed, byHand }: Way): string[] {
  if (result.outcome === "moved")
    return [`Read changed files again. The person can take this back: retcon undo -s ${shortId(session.id)}`]
  if (result.outcome !== "planned" || result.files.length === 0) return []
  const plan = "This is a plan: nothing was changed."
  if (allowed) return [`${plan} Carry it out with apply.`]
  const allow = "The person can allow agents to carry out restores: retcon config mcp.restore apply"
  const ask = byHand === undefined ? [allow] : [allow, `or do this one: ${byHand}`]
  return [apply ? `${plan} Agents may not carry it out here.` : plan, ...ask]
}

const LONGEST_COMMAND = 500

function commandFor(session: Session, to: string, { paths = [], onConflict }: FilesRequest): string | undefined {
  const how = onConflict === undefined ? [] : [`--${onConflict}`]
  const words = ["retcon restore", shellWord(to), ...paths.map(shellWord), ...how, `-s ${shortId(session.id)}`]
  const command = words.join(" ")
  return command.length > LONGEST_COMMAND ? undefined : command
}
