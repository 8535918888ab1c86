// A move as a line: options say what happens to the files, as on the command line; it asks if some may be the person's.
import { agentTitle } from "../../model/agent-title.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { isMovedElsewhere, moveQuestion } from "../../protocol/elsewhere-question.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import type { OwnRequests } from "../../protocol/own-requests.ts"
import { conflictLines, conflictsOf } from "../overlay/move/conflicts.ts"
import { planLines } from "../overlay/move/plan-lines.ts"
import { versionLines } from "../overlay/move/versions.ts"
import { makeTheme } from "../terminal/theme.ts"
import { isChosen, type MoveLine } from "../words/move-line.ts"
import type { PlainContext } from "./plain-context.ts"

const WIDTH = 100

/** How to exclude files that may be the person's. */
export const LEAVE_THEM = "To leave files as they are, add --only-certain, or --keep PATH for each."

export interface PlainAsker {
  /** Whether a person can be asked. */
  asks: boolean
  own: OwnRequests
}

/** What only the person knows, and what to add to the request if they say yes. */
function askAgain(answer: MoveResult): { question: string; with: MoveRequest } | undefined {
  if (answer.outcome !== "refused") return undefined
  const { failure, plan } = answer
  if (failure.code === "perhaps-running") {
    const question = `retcon cannot tell whether ${agentTitle(failure.agent)} has this session open. Have you closed it there? y/N`
    return { question, with: { evenIfRunning: true } }
  }
  if (!isMovedElsewhere(failure) || plan === undefined) return undefined
  return { question: `${moveQuestion(failure, answer)} Go ahead? y/N`, with: { expects: failure.head } }
}

/** Contract: undefined if it asks first; a yes then does it. From a pipe nobody can be asked: it moves, and says so. */
export async function plainMove(
  { asks, own, say, tell, confirm }: Pick<PlainContext, "say" | "tell" | "confirm"> & PlainAsker,
  line: MoveLine,
  make: (request: MoveRequest) => Promise<MoveResult>,
): Promise<MoveResult | undefined> {
  const asked = { ...line.more, ...own.expects() }
  const move = (request: MoveRequest) => own.move(request, () => make(request))
  const plan = isChosen(line) || !asks ? undefined : await make({ ...asked, dryRun: true })
  if (plan === undefined || plan.outcome !== "planned" || plan.uncertain.length === 0) {
    const answer = await move(asked)
    const again = asks ? askAgain(answer) : undefined
    if (again !== undefined && confirm(again.question, async () => tell(await move({ ...asked, ...again.with }))))
      return undefined
    tell(answer)
    return answer
  }
  say(planLines(makeTheme({ colours: false }), "both", plan, WIDTH).join("\n"))
  say(LEAVE_THEM)
  const confirmed = confirm("Go there and change all of these files? y/N", async () => tell(await move(asked)))
  if (!confirmed) say("Nothing has changed yet: add --yes to change all of them.")
  return undefined
}

/** Both versions of what conflicts; empty if nothing does. */
export function conflictText(answer: MoveResult): string {
  const theme = makeTheme({ colours: false })
  const lines = conflictsOf(answer).flatMap((each) => [
    ...conflictLines(theme, each, WIDTH),
    ...versionLines(theme, each, WIDTH),
  ])
  return lines.join("\n")
}
