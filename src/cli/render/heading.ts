// Which session this is: the first line of a view of one session.
import { titleOf } from "../../history/words/title.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { goneWords } from "../../model/text/gone-words.ts"
import { clip, widthOf } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Style } from "./style.ts"

/** Its title and its id, and where it was split off; then an empty line. */
export function* heading(session: Session, style: Style, width: number): Generator<string> {
  const { agent, gone, goneAs } = session.log
  const since = gone === undefined ? "" : `, ${goneWords(agent ?? "", gone, goneAs)}`
  const whose = agent === undefined ? "" : ` of ${agentTitle(agent)}${since}`
  const facts = ` · session ${shortId(session.id)}${whose}${origin(session)}`
  const title = clip(titleOf(session.history), Math.max(12, width - widthOf(facts)))
  yield `${style.strong(title)}${style.quiet(facts)}`
  yield ""
}

function origin(session: Session): string {
  const { from } = session.log.header
  if (from === undefined) return ""
  const where = shortId(from.session)
  switch (from.as) {
    case "split":
      return `, split from ${where}`
    case "task":
      return `, a task of ${where}`
    case "attempt":
      return `, an attempt of ${where}`
    case "import":
      return ", imported"
    // A newer version may know more.
    default:
      return ` from ${where}`
  }
}
