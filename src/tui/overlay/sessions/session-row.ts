// One session on a line: age, title and size, as far as there is room.
import { agentTitle } from "../../../model/agent-title.ts"
import { AGE_WIDTH, age } from "../../../model/text/age.ts"
import { bytes, count } from "../../../model/text/amounts.ts"
import { sanitiseLine } from "../../../model/text/sanitise.ts"
import { pad } from "../../../model/text/width.ts"
import type { SessionListing } from "../../../protocol/shapes.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { listRow } from "../frame/frame.ts"

export interface SessionRow {
  session: SessionListing
  /** Where its contents match the query. */
  excerpt: string | undefined
  current: boolean
  now: number
}

export function sessionRow(theme: Theme, row: SessionRow, chosen: boolean, width: number): string {
  const { session, excerpt } = row
  const when = pad(age(session.updated, row.now), AGE_WIDTH, "left")
  const left: LinePiece[] = [piece(`${when}  `, theme.quiet)]
  if (row.current) left.push(piece("this one ", theme.head))
  if (session.busy === true) left.push(piece("open elsewhere ", theme.warning))
  if (session.archived) left.push(piece("archived ", theme.quiet))
  if (session.agent !== "retcon") left.push(piece(`${agentTitle(session.agent)} `, theme.label))
  left.push(titleOf(session))
  if (excerpt !== undefined) left.push(piece(`  “${sanitiseLine(excerpt)}”`, theme.mark))
  return listRow(theme, chosen, left, width, [piece(amounts(session, width), theme.quiet)])
}

export function titleOf(session: SessionListing): string {
  const title = sanitiseLine(session.title)
  return title === "" ? "(no title)" : title
}

/** "12 prompts, 2 branches, 1.2 MB"; on a narrow screen only the first. */
export function amounts(session: SessionListing, width: number): string {
  const size = bytes(session.bytes)
  if (session.prompts === null || session.branches === null) return width < 50 ? "" : size
  const prompts = count(session.prompts, "prompt")
  const branches = count(session.branches, "branch", "branches")
  if (width < 50) return ""
  if (width < 66) return session.branches > 1 ? `${prompts}, ${branches}` : prompts
  return [prompts, ...(session.branches > 1 ? [branches] : []), size].join(", ")
}

/** Everything known about a session, above its preview. */
export function facts(session: SessionListing): string {
  const { prompts, branches } = session
  const counts = [
    prompts === null ? [] : count(prompts, "prompt"),
    branches === null ? [] : count(branches, "branch", "branches"),
  ]
  return [agentTitle(session.agent), ...counts.flat(), bytes(session.bytes), session.cwd].join(", ")
}
