// A move as a line: options say what happens to the files, as on the command line; it asks if some may be the person's.
import { agentTitle } from "../../model/agent-title.ts"
import type { Moved, MoveResult } from "../../model/move/moved.ts"
import { isMovedElsewhere, moveQuestion } from "../../protocol/elsewhere-question.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import type { OwnRequests } from "../../protocol/own-requests.ts"
import type { TypedMove } from "../commands/command.ts"
import { conflictLines, conflictsOf } from "../overlay/move/conflicts.ts"
import { planLines } from "../overlay/move/plan-lines.ts"
import { versionLines } from "../overlay/move/versions.ts"
import { makeTheme } from "../terminal/theme.ts"
import { isChosen } from "../words/move-line.ts"

const WIDTH = 100

/** How to exclude files that may be the person's. */
const LEAVE_THEM = "To leave files as they are, add --only-certain, or --keep PATH for each."

export interface PlainAsker {
  /** Whether a person can be asked. */
  asks: boolean
  own: OwnRequests
  say: (text: string) => void
  /** Reports what a move did. */
  tell: (answer: MoveResult) => void
  /** Asks, and acts on a yes. False if nobody can be asked now. */
  confirm: (question: string, act: () => Promise<void>) => boolean
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
export async function plainMove(asker: PlainAsker, move: TypedMove): Promise<MoveResult | undefined> {
  const { asks, own, say, tell, confirm } = asker
  const { line, make, files } = move
  const asked = { ...line.more, ...own.expects() }
  const act = (request: MoveRequest) => own.move(request, () => make(request))
  const shows = files !== undefined ? !line.yes : asks && !isChosen(line)
  const plan = shows ? await make({ ...asked, dryRun: true }) : undefined
  if (plan?.outcome !== "planned" || !isShown(plan, files)) {
    const answer = files !== undefined && plan !== undefined ? plan : await act(asked)
    const again = asks ? askAgain(answer) : undefined
    if (again !== undefined && confirm(again.question, async () => tell(await act({ ...asked, ...again.with }))))
      return undefined
    tell(answer)
    return answer
  }
  if (files !== undefined) say(`${files.title}:`)
  say(planLines(makeTheme({ colours: false }), files === undefined ? "both" : "files", plan, WIDTH).join("\n"))
  if (plan.uncertain.length > 0) say(LEAVE_THEM)
  const question = files === undefined ? "Go there and change all of these files? y/N" : "Change these files? y/N"
  const confirmed = confirm(question, async () => tell(await act(asked)))
  if (!confirmed)
    say(`Nothing has changed yet: add --yes to ${files === undefined ? "change" : "restore"} all of them.`)
  return undefined
}

/** A restore shows every file; another move only shows files if some may be the person's. */
function isShown(plan: Moved, files: TypedMove["files"]): boolean {
  return files === undefined ? plan.uncertain.length > 0 : plan.files.length > 0
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
