// The terminal's commands as lines: what is a page there is printed here.
import { lastAsked } from "../../history/tree/asked.ts"
import { liveTips } from "../../history/tree/live-tips.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { shortId } from "../../model/id.ts"
import { plainText } from "../../model/record/part.ts"
import { ago } from "../../model/text/age.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { HostSession, SessionContents } from "../../protocol/host.ts"
import { type TreeLine, treeLines } from "../overlay/tree/tree-lines.ts"
import { treeRow } from "../overlay/tree/tree-row.ts"
import { makeTheme } from "../terminal/theme.ts"
import { costLines } from "../words/cost-lines.ts"
import type { PlainContext } from "./plain-context.ts"
import { plainRestore } from "./plain-restore.ts"
import { resumed } from "./plain-sessions.ts"

const WIDTH = 100

/** Returns the session to continue with, if it is another one; "unknown" if there is no such command. */
export async function plainCommand(name: string, parts: PlainContext): Promise<HostSession | "unknown" | undefined> {
  const { session, argument, host, say } = parts
  switch (name) {
    case "restore":
      await plainRestore(parts)
      return undefined
    case "tree":
      for (const line of treeText(session, parts.now())) say(line)
      return undefined
    case "branches":
      for (const line of branchesText(session, parts.now())) say(line)
      return undefined
    case "diff": {
      const answer = await session.diff(argument === "" ? {} : { from: argument })
      if (answer.outcome === "diff") say(answer.patch === "" ? "No file differs." : answer.patch)
      else say("There is nothing to compare: files are not covered here.")
      return undefined
    }
    case "title":
      if (argument === "") say("A title is missing. Use: /title TEXT")
      else await session.title(argument)
      if (argument !== "") say(`This session is called "${argument}".`)
      return undefined
    case "label":
      if (argument === "") say("A name is missing. Use: /label NAME")
      else await session.label("head", argument)
      if (argument !== "") say(`This point is called "${argument}". Come back with /goto ${argument}`)
      return undefined
    case "cost":
      say(costLines(session.status(), makeTheme({ colours: false }), WIDTH).join("\n"))
      return undefined
    case "export":
      say(await parts.exportSession(session, argument))
      return undefined
    case "doctor":
      say((await parts.doctor(session))(WIDTH).join("\n"))
      return undefined
    case "new":
      return host.create({ cwd: parts.cwd })
    case "split":
      return host.open((await session.split(argument === "" ? undefined : argument)).session)
    case "resume":
      return resumed(parts)
    default:
      return "unknown"
  }
}

function treeText(session: SessionContents, now: number): string[] {
  const { history, head } = session
  const labels = new Map([...session.labels()].map(([id, name]) => [history.rowOf(id), name]))
  const request = {
    view: "prompts" as const,
    head,
    labelled: new Set(labels.keys()),
    folded: new Set<number>(),
    lanes: 8,
  }
  const lines = treeLines(history, request)
  const view = { history, theme: makeTheme({ colours: false }), now, head, labels, sessions: new Map() }
  const size = lines.upTo(1_000)
  const all = Array.from({ length: size }, (_, at) => lines.at(at))
  const ids = shortIds(history)
  const drawn = all.flatMap((line) => {
    if (line === undefined) return []
    const row = rowOf(line)
    const id = (row === NONE ? "" : ids.of(row)).padEnd(ids.width)
    return [`${id} ${treeRow(view, new Map(), line, false, WIDTH - ids.width - 1)}`.trimEnd()]
  })
  return [...drawn, "Go to the end of one with: /goto ID"]
}

/** The entry that a line of the tree ends with. */
function rowOf(line: TreeLine): Row {
  if (line.type === "stretch") return line.stretch.last
  if (line.type === "entry") return line.row
  return line.type === "folded" ? line.branch.newest : NONE
}

function branchesText(session: SessionContents, now: number): string[] {
  const { history, head } = session
  const tips = liveTips(history, head).reverse()
  const told = tips.map((tip) => {
    const row = lastAsked(history, tip)
    const record = row === NONE ? undefined : history.record(row)
    const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : "(no prompt)"
    const here = tip === head ? " (here)" : ""
    return `${shortId(history.id(tip))}${here}: ${clip(sanitiseLine(text), 70)}, ${ago(history.record(tip)?.at ?? "", now)}`
  })
  return [...told, `${count(tips.length, "branch", "branches")}. Go to one with: /goto ID`]
}
