// Which session this is: the first line of a view of one session.
import { config, entries, type History } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { ORIGINS } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { ShowText } from "../../model/record/tool-words.ts"
import { goneWords } from "../../model/text/gone-words.ts"
import { clip, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
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

/** The title that a person or its agent gave it, otherwise its first prompt. On one line, safe to print. */
export function titleOf(history: History, show: ShowText = (text) => text): string {
  const given = config(history).get("title") ?? history.titleBeside
  const title = sanitiseLine(show(typeof given === "string" ? given : firstPrompt(history)))
  return title === "" ? "(no title)" : title
}

/** What the session began with: a prompt, or the task of a sub-agent. */
function firstPrompt(history: History): string {
  for (const row of entries(history)) {
    const isTask = history.kind(row) === KIND.message && ORIGINS[history.origin(row)] === "task"
    if (!history.isPrompt(row) && !isTask) continue
    const record = history.record(row)
    return (record && entryText(record)) ?? ""
  }
  return ""
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
