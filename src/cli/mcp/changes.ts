// changes {since?, path?}: how the files differ from an earlier moment, and who changed them.

import { changedAfter, type NamedMoment, namedMoment } from "../../app/open/named-moment.ts"
import { workspacePaths } from "../../app/open/workspace-path.ts"
import { spansToRestore } from "../../history/files/applied-changes.ts"
import type { CallSpan } from "../../history/files/call-spans.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import { fileLine } from "../move/files-lines.ts"
import { withCurrentSession } from "./current-session.ts"
import type { ServerTool } from "./port.ts"

/** Longer patches are for other tools. */
const LONGEST_PATCH = 100_000

export const changes: ServerTool<{ since?: string; path?: string }> = {
  name: "changes",
  description:
    "List files that differ from a checkpoint, prompt (@N) or entry, and who changed them. With path, also the diff.",
  properties: {
    since: { type: "string", description: "Default: the last prompt" },
    path: { type: "string" },
    cursor: { type: "string" },
  },
  effect: "reads",
  run: (at, { since, path }) =>
    withCurrentSession(at, async (session) => {
      const then = await namedMoment(session, since)
      const paths = path === undefined ? undefined : workspacePaths(at.cli, session, [path])
      const within = paths === undefined ? {} : { paths }
      const { id: now } = await then.files.snapshot()
      const differing = await then.files.diff(then.snapshot, now, within)
      const who = await whoChanged(
        session,
        then,
        differing.map((file) => file.path),
        now,
      )
      const from = sanitiseLine(then.name)
      const lines = differing.map(({ path, change, added, removed }) => {
        const counts = { ...(added !== undefined && { added }), ...(removed !== undefined && { removed }) }
        return `${fileLine({ path, change, ...counts })} (${who.get(path)})`
      })
      const late = `There is no snapshot from ${from}: compared with the first one after it.`
      const differ = differing.length === 1 ? "differs" : "differ"
      return {
        text: [
          ...(then.late ? [late] : []),
          ...(session.files.earlier?.words === undefined ? [] : [session.files.earlier.words]),
          differing.length === 0
            ? `No file differs from ${from}.`
            : `${count(differing.length, "file")} ${differ} from ${from}:`,
          ...lines,
          ...(path === undefined || lines.length === 0
            ? []
            : ["", clipped(await then.files.patch(then.snapshot, now, within))]),
        ].join("\n"),
      }
    }),
}

function clipped(patch: Uint8Array): string {
  const text = sanitise(Buffer.from(patch).toString())
  return text.length <= LONGEST_PATCH ? text : `${text.slice(0, LONGEST_PATCH)}\n(The rest is left out.)`
}

const OTHERS = "you or another program"
const NOT_WATCHED = "not recorded: the agent, you or another program"

/**
 * Who changed each file since a moment, as far as the snapshots around calls show. For each path in `changed`, words to
 * put after it on its line. `now`: the snapshot they were compared with.
 */
async function whoChanged(
  session: Session,
  then: NamedMoment,
  changed: readonly string[],
  now: NamedMoment["snapshot"],
): Promise<Map<string, string>> {
  const last = new Map<string, CallSpan>()
  for (const span of spansToRestore(session.history, then.moment).takeBack)
    for (const { path } of span.changes) if (!last.has(path)) last.set(path, span)
  const since = await changedAfter(then, last, now)
  const unknown = then.watched ? OTHERS : NOT_WATCHED
  return new Map(
    changed.map((path) => {
      const span = last.get(path)
      if (span === undefined) return [path, unknown]
      return [path, `${byCall(session, span, path)}${since.has(path) ? `, then ${OTHERS}` : ""}`]
    }),
  )
}

function byCall({ history }: Session, span: CallSpan, path: string): string {
  const record = history.record(span.entry)
  const parts = record?.type === "message" ? record.content : []
  const call = parts.find((part) => part.type === "tool-call" && part.call === span.call)
  const name = call?.type === "tool-call" ? ` with ${sanitiseLine(call.name)}` : ""
  const perhaps = span.changes.some((change) => change.path === path && change.during !== undefined)
  return `the agent${name}, after @${history.round(span.entry)}${perhaps ? ", or you while it ran" : ""}`
}
