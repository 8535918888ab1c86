// retcon edits: what the agents changed, over all sessions, the newest first.
import { resolve } from "node:path"
import { makeLibrary } from "../../app/library/library.ts"
import { idNamed } from "../../app/library/named-session.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { AGE_WIDTH, age, count } from "../../model/text/amounts.ts"
import { clip, pad, sanitise, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import type { EditedFile, EditsAnswer } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import { parseTime } from "../sessions/parse-time.ts"
import { agentNamed } from "../sessions/session-filter.ts"

interface EditsFlags {
  since?: string
  until?: string
  by?: string
  path?: string
  agent?: string
  project?: string
  session?: string
  diff?: boolean
  limit?: number
  json?: boolean
}

/** What lines can be grouped by, and what a group is called. */
const GROUPS: Readonly<Record<string, (edit: EditedFile) => string>> = {
  file: ({ path }) => path,
  session: ({ session, agent, title }) => `${shortId(session)}  ${agentTitle(agent)}  ${title}`,
  project: ({ project }) => (project === "" ? "(unknown folder)" : project),
  agent: ({ agent }) => agentTitle(agent),
}

const MOST = 100

export async function run(cli: Cli, options: EditsFlags): Promise<void> {
  const { since = "today", until, by, path, agent, project, session, diff = false, limit = MOST } = options
  const group = by === undefined ? undefined : GROUPS[by]
  if (by !== undefined && group === undefined)
    throw new UsageError(
      `"${sanitiseLine(by)}" is nothing to group by.`,
      `Use one of: ${Object.keys(GROUPS).join(", ")}.`,
    )
  const time = (text: string, end = false) => parseTime(text, { now: cli.now(), end })
  const shown = progress(cli, "Reading sessions")
  const answer = await makeLibrary(cli)
    .edits(
      {
        ...(since !== "all" && { since: time(since) }),
        ...(until !== undefined && { until: time(until, true) }),
        ...(path !== undefined && { path: resolve(cli.cwd, path) }),
        ...(agent !== undefined && { agent: agentNamed(agent) }),
        ...(project !== undefined && { project }),
        ...(session !== undefined && { session: await idNamed(cli, session) }),
        diff,
        limit,
      },
      shown,
    )
    .finally(shown.done)
  if (options.json === true) return printJson(cli.out, answer)
  await page(cli, screen(cli, answer, { group, since }))
}

interface Shown {
  group: ((edit: EditedFile) => string) | undefined
  since: string
}

function* screen(cli: Cli, answer: EditsAnswer, { group, since }: Shown): Generator<string> {
  const { width } = cli.out
  const style = styleFor(cli.out)
  if (answer.total === 0) {
    const when = since === "today" ? "No agent has changed a file today" : "No agent has changed a file in this time"
    yield `${when}, as far as sessions say it. Earlier ones: retcon edits --since 7d`
  }
  if (group === undefined) for (const edit of answer.edits) yield* lineOf(cli, edit, edit.path)
  else {
    const groups = new Map<string, EditedFile[]>()
    for (const edit of answer.edits) groups.set(group(edit), [...(groups.get(group(edit)) ?? []), edit])
    const isFile = group === GROUPS.file
    for (const [name, edits] of groups) {
      const added = edits.reduce((sum, each) => sum + each.added, 0)
      const removed = edits.reduce((sum, each) => sum + each.removed, 0)
      const counts = `  ${count(edits.length, "edit")}, +${added} −${removed}`
      yield style.strong(clip(sanitiseLine(name), width - widthOf(counts))) + counts
      for (const edit of edits) yield* lineOf(cli, edit, isFile ? "" : edit.path, "  ")
    }
  }
  const more = answer.total - answer.edits.length
  if (more > 0) yield style.quiet(`${count(more, "more edit")}: --limit ${answer.total}`)
  if (answer.leftOut.length > 0) yield `Not included: ${count(answer.leftOut.length, "session")} that cannot be read.`
}

function* lineOf(cli: Cli, edit: EditedFile, path: string, indent = ""): Generator<string> {
  const { width } = cli.out
  const style = styleFor(cli.out)
  const when = pad(age(edit.at, cli.now()), AGE_WIDTH, "left")
  const counts = edit.added + edit.removed === 0 ? "" : `+${edit.added} −${edit.removed}`
  const who = `${shortId(edit.session)}  ${agentTitle(edit.agent)}`
  const name = path === "" ? "" : `${sanitiseLine(nameOf(edit, path))}  `
  const head = `${indent}${when}  ${name}${counts === "" ? "" : `${counts}  `}`
  const rest = `${who}  ${sanitiseLine(edit.asked)}`
  yield clip(head + rest, width)
  if (edit.diff === undefined) return
  for (const line of edit.diff.split("\n")) {
    if (line === "") continue
    const clean = `    ${sanitise(line).replaceAll("\t", "    ")}`
    yield line.startsWith("+") ? style.good(clean) : line.startsWith("-") ? style.bad(clean) : style.quiet(clean)
  }
}

/** Relative to the session's folder, with the last part of that. */
function nameOf({ project }: EditedFile, path: string): string {
  if (project === "" || !path.startsWith(`${project}/`)) return path
  return `${project.slice(project.lastIndexOf("/") + 1)}/${path.slice(project.length + 1)}`
}
