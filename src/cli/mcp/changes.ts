// changes {since?, path?}: how the files differ from an earlier moment, and who changed them.
import { count } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { fileLine } from "../move/files-lines.ts"
import { workspacePaths } from "../sessions/workspace-path.ts"
import { withCurrentSession } from "./current-session.ts"
import { namedMoment } from "./named-moment.ts"
import type { ServerTool } from "./port.ts"
import { whoChanged } from "./who-changed.ts"

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
