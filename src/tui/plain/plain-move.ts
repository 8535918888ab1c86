// A move as a line: options say what happens to the files, as on the command line; where some may be the person's, it asks.

import type { MoveResult } from "../../model/move/moved.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import { conflictLines, conflictsOf } from "../overlay/move/conflicts.ts"
import { planLines } from "../overlay/move/plan-lines.ts"
import { versionLines } from "../overlay/move/versions.ts"
import { makeTheme } from "../terminal/theme.ts"
import type { PlainContext } from "./plain-context.ts"

const WIDTH = 100
const OPTION =
  /(?:^|\s)--(?:(ours|theirs|write-conflicts)|files[= ](keep|restore)|(only-certain)|keep[= ](?:"([^"]+)"|(\S+))|(yes))(?=\s|$)/

/** What a line wants for the files, and the line without it. `yes`: do not ask. */
export interface MoveLine {
  argument: string
  more: Pick<MoveRequest, "onConflict" | "files" | "keep" | "onlyCertain">
  yes: boolean
}

export function moveLine(typed: string): MoveLine {
  let [rest, yes] = [typed, false]
  const more: MoveLine["more"] = {}
  for (let found = OPTION.exec(rest); found !== null; found = OPTION.exec(rest)) {
    const [whole, conflict, files, certain, quoted, path = quoted] = found
    if (conflict !== undefined) more.onConflict = conflict as "ours" | "theirs" | "write-conflicts"
    else if (files !== undefined) more.files = files as "keep" | "restore"
    else if (certain !== undefined) more.onlyCertain = true
    else if (path !== undefined) more.keep = [...(more.keep ?? []), path]
    else yes = true
    rest = rest.replace(whole, "")
  }
  return { argument: rest.trim(), more, yes }
}

/** How to leave out what may be the person's. */
export const LEAVE_THEM = "To leave files as they are, add --only-certain, or --keep PATH for each."

/** Contract: undefined when it asks first; a yes does it then. From a pipe nobody can be asked: it moves, and says so. */
export async function plainMove(
  { asks, say, tell, confirm }: Pick<PlainContext, "say" | "tell" | "confirm"> & { asks: boolean },
  { more, yes }: MoveLine,
  make: (request: MoveRequest) => Promise<MoveResult>,
): Promise<MoveResult | undefined> {
  const chosen = yes || more.keep !== undefined || more.onlyCertain === true
  const plan = chosen || !asks ? undefined : await make({ ...more, dryRun: true })
  if (plan === undefined || plan.outcome !== "planned" || plan.uncertain.length === 0) {
    const answer = await make(more)
    tell(answer)
    return answer
  }
  say(planLines(makeTheme({ colours: false }), "both", plan, WIDTH).join("\n"))
  say(LEAVE_THEM)
  const asked = confirm("Go there and change all of these files? y/N", async () => tell(await make(more)))
  if (!asked) say("Nothing has changed yet: add --yes to change all of them.")
  return undefined
}

/** Both versions of what conflicts; nothing when nothing does. */
export function conflictText(answer: MoveResult): string {
  const theme = makeTheme({ colours: false })
  const lines = conflictsOf(answer).flatMap((each) => [
    ...conflictLines(theme, each, WIDTH),
    ...versionLines(theme, each, WIDTH),
  ])
  return lines.join("\n")
}
