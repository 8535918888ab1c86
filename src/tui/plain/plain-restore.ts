// /restore as lines: first what it would change; then, if the person agrees, the restore.
import { momentWords } from "../../history/words/moment-words.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import { planLines } from "../overlay/move/plan-lines.ts"
import { makeTheme } from "../terminal/theme.ts"
import { moveLine } from "../words/move-line.ts"
import type { PlainContext } from "./plain-context.ts"
import { LEAVE_THEM } from "./plain-move.ts"

const WIDTH = 100

/** `--yes` does it at once: from a pipe nobody can be asked. */
export async function plainRestore({ session, argument, say, tell, confirm }: PlainContext): Promise<void> {
  const { argument: rest, more, yes } = moveLine(argument)
  const [entry = "head", ...paths] = rest.split(/\s+/).filter(Boolean)
  const asked = { ...more, ...(paths.length === 0 ? {} : { paths }) }
  const restore = (request: MoveRequest = {}) => session.restore(entry, { ...asked, ...request })
  if (yes) return tell(await restore())
  const plan = await restore({ dryRun: true })
  if (plan.outcome !== "planned" || plan.files.length === 0) return tell(plan)
  say(`Restore the files as they were ${momentWords(session.history, session.head, entry)}:`)
  say(planLines(makeTheme({ colours: false }), "files", plan, WIDTH).join("\n"))
  if (plan.uncertain.length > 0) say(LEAVE_THEM)
  const asks = confirm("Restore? y/N", async () => tell(await restore()))
  if (!asks) say(`Nothing has changed yet. Restore with: /restore ${argument.trim() || "head"} --yes`)
}
