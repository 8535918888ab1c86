// retcon ls: the sessions of this directory, of the whole repository or of all, most recently used first.
import { isEmpty, isTask } from "../../app/library/session-kinds.ts"
import { protectionLines } from "../../app/protection/protection.ts"
import { unreadable } from "../../app/protection/unreadable.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { type SessionId, shortId } from "../../model/id.ts"
import { AGE_WIDTH, age, count } from "../../model/text/amounts.ts"
import { goneWords } from "../../model/text/gone-words.ts"
import { clip, pad, sanitiseLine, shellWord, widthOf, wrap } from "../../model/text/sanitise.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { printJsonList } from "../port/print-json.ts"
import { waitingNoteLines } from "../render/note-words.ts"
import { page } from "../render/pager.ts"
import { type Style, styleFor } from "../render/style.ts"
import { wrapCommand } from "../render/wrap-command.ts"
import { agentNamed, type FilterFlags, filteredSessions } from "../sessions/session-filter.ts"

export interface LsFlags extends FilterFlags {
  repo?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: LsFlags): Promise<void> {
  const all = options.all === true
  const repo = options.repo === true
  const { agent, since, path } = options
  const found = await filteredSessions(cli, { all: all || repo, agent, since, path })
  const listed = repo ? await inRepository(cli, found) : found
  // What an attempt did is a branch of the session that it was made for.
  const sessions = listed.filter((session) => !isNothing(session) && session.from?.as !== "attempt")
  const shown = all ? sessions : sessions.filter((session) => !session.archived && !isTask(session))
  if (options.json === true) {
    await printJsonList(cli.out, shown.map(jsonSession))
    return
  }
  if (repo) {
    await page(cli, everywhere(cli, shown, []))
    return
  }
  const filtered = agent !== undefined || since !== undefined || path !== undefined
  const broken = filtered ? [] : unreadable(cli, listed, all ? "everywhere" : "here")
  const unopened = [
    unreadableLine(broken, all ? " --all" : "") ?? [],
    filtered ? [] : await protectionLines(cli, all),
  ].flat()
  if (filtered && shown.length === 0) {
    await page(cli, wrap(noneWith(options), cli.out.width))
    return
  }
  const moved = all || sessions.length > 0 || unopened.length > 0 ? [] : await hintsAt(cli)
  const hints = all ? [] : [...moved, ...waitingNoteLines(cli)]
  await page(cli, all ? everywhere(cli, shown, unopened) : here(cli, sessions, shown, unopened, hints))
}

/** What was searched for, and where else to look. */
function noneWith({ agent, since, path, all }: LsFlags): string {
  const whose = agent === undefined ? "" : ` of ${agentTitle(agentNamed(agent))}`
  const used = since === undefined ? [] : [`were used in the last ${sanitiseLine(since)}`]
  const conditions = [...used, ...(path === undefined ? [] : [`mention ${sanitiseLine(path)}`])]
  const that = conditions.length === 0 ? "" : ` that ${conditions.join(" and ")}`
  const [where, next] = all === true ? ["", ""] : [" in this directory", " For all directories, add --all."]
  return `There are no sessions${whose}${where}${that}.${next}`
}

async function inRepository(cli: Cli, found: readonly SessionSummary[]): Promise<readonly SessionSummary[]> {
  const { ofRepository } = await import("../../app/library/repository-sessions.ts")
  return ofRepository(cli, found)
}

async function hintsAt(cli: Cli): Promise<string[]> {
  const { movedHere } = await import("../sessions/moved-here.ts")
  return movedHere(cli)
}

/** Whether it has neither messages nor a title. */
function isNothing(session: SessionSummary): boolean {
  return isEmpty(session) && session.title === ""
}

/** Contract (docs/cli.md). */
function jsonSession(session: SessionSummary): object {
  const { id, agent = "retcon", file, title, cwd, prompts, branches, updated, archived } = session
  const { from, name, resume, gone, goneAs } = session
  const fixed = { id, agent, file, title, cwd, prompts, branches, updated, archived }
  return {
    ...fixed,
    ...(from !== undefined && { from }),
    ...(name !== undefined && { name }),
    ...(resume !== undefined && { resume }),
    ...(gone !== undefined && { gone }),
    ...(goneAs !== undefined && { goneAs }),
  }
}

/** The most tasks shown for one session in the short list. */
const MOST_TASKS = 5

function* here(
  cli: Cli,
  sessions: readonly SessionSummary[],
  shown: readonly SessionSummary[],
  unopened: readonly string[],
  hints: readonly string[],
): Generator<string> {
  const style = styleFor(cli.out)
  const tasks = tasksOf(sessions)
  for (const session of shown) {
    const lines = [...withTasks(cli, session, tasks, style)]
    yield* lines.slice(0, 1 + MOST_TASKS)
    const more = lines.length - 1 - MOST_TASKS
    if (more > 0) yield style.quiet(`${" ".repeat(6 + AGE_WIDTH + 4)}└ ${count(more, "more task")}`)
  }
  const archived = sessions.filter((session) => session.archived).length
  const none =
    unopened.length === 0 ? "There are no sessions in this directory." : "There are no sessions here to show."
  if (shown.length === 0) yield clip(none, cli.out.width)
  const hidden = archived === 0 ? "" : `${count(archived, "session")} archived. `
  if (shown.length === 0 || archived > 0) yield style.quiet(`${hidden}See all with: retcon ls --all`)
  for (const line of [...unopened, ...hints]) yield* wrap(line, cli.out.width)
}

/** By directory, with tasks below the session that gave them. */
function* everywhere(cli: Cli, sessions: readonly SessionSummary[], unopened: readonly string[]): Generator<string> {
  const style = styleFor(cli.out)
  const tasks = tasksOf(sessions)
  const known = new Set(sessions.map(({ id }) => id as string))
  const roots = sessions.filter((session) => !isTask(session) || !known.has(session.from?.session ?? ""))
  const directories = groupBy(roots, ({ cwd }) => cwd)
  let first = true
  for (const [cwd, group] of directories) {
    if (!first) yield ""
    first = false
    yield style.strong(clip(cwd === "" ? "(directory unknown)" : sanitiseLine(cwd), cli.out.width))
    for (const root of group) yield* withTasks(cli, root, tasks, style)
  }
  if (sessions.length === 0)
    yield unopened.length === 0 ? "There are no sessions yet." : "There are no sessions to show."
  for (const line of unopened) yield* wrap(line, cli.out.width)
}

function* withTasks(
  cli: Cli,
  root: SessionSummary,
  tasks: ReadonlyMap<string, SessionSummary[]>,
  style: Style,
): Generator<string> {
  const open: { session: SessionSummary; depth: number }[] = [{ session: root, depth: 0 }]
  const seen = new Set<string>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { session, depth } = next
    if (seen.has(session.id)) continue
    seen.add(session.id)
    yield line(cli, session, depth, style)
    if (depth === 0) yield* resumeLine(cli, session, style)
    // Oldest first: in the order in which they were given.
    for (const task of tasks.get(session.id) ?? []) open.push({ session: task, depth: depth + 1 })
  }
}

/** How to continue it in its own program, from the folder that it is listed for; if it is gone, how to get it back. */
function* resumeLine(cli: Cli, session: SessionSummary, style: Style): Generator<string> {
  const { resume, gone, archived } = session
  if ((resume === undefined && gone === undefined) || archived) return
  const indent = " ".repeat(6 + AGE_WIDTH + 4)
  const room = cli.out.width - indent.length
  if (resume === undefined) {
    for (const part of goneLines(session, Math.max(20, room))) yield style.quiet(indent + part)
    return
  }
  // A command that is clipped or broken cannot be copied: on a narrow screen it is indented less.
  const command = sanitiseLine(resume.map(shellWord).join(" "))
  yield style.quiet((widthOf(command) <= room ? indent : "  ") + command)
}

function goneLines({ id, agent = "", gone = "", goneAs }: SessionSummary, width: number): string[] {
  const words = goneWords(agent, gone, goneAs)
  if (goneAs === "unreadable") return wrap(`${words}; this is retcon's copy`, width)
  return wrapCommand(`${words}; bring it back with:`, `retcon keep --restore ${shortId(id)}`, width)
}

function tasksOf(sessions: readonly SessionSummary[]): Map<string, SessionSummary[]> {
  return groupBy(sessions.filter(isTask), ({ from }) => from?.session ?? "")
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

const DEEPEST = 4

function line(cli: Cli, session: SessionSummary, depth: number, style: Style): string {
  const id = style.id(shortId(session.id))
  const when = style.quiet(pad(age(session.updated, cli.now()), AGE_WIDTH, "left"))
  const indent = depth === 0 ? "" : `${"  ".repeat(Math.min(depth, DEEPEST) - 1)}└ `
  const archived = session.archived ? " (archived)" : ""
  const whole = cli.out.width - 6 - AGE_WIDTH - 4 - widthOf(indent) - widthOf(archived)
  const right = amountsOf(session).find((text) => whole - widthOf(text) - 2 >= SHORTEST_TITLE) ?? ""
  const room = right === "" ? whole : whole - widthOf(right) - 2
  const title = clip(titleOf(session), room)
  const space = right === "" ? "" : " ".repeat(Math.max(0, room - widthOf(title)) + 2)
  return `${id}  ${when}  ${indent}${title}${style.quiet(`${archived}${space}${right}`)}`
}

/** If there is little room for the title, what is right of it is shortened. */
const SHORTEST_TITLE = 12

/** How much there is, in a long form and in short ones; for another agent's session, whose it is. */
function amountsOf(session: SessionSummary): string[] {
  const prompts = promptsOf(session)
  if (session.agent !== undefined) {
    const agent = agentTitle(session.agent)
    return prompts === "" ? [agent] : [`${agent}, ${prompts}`, agent]
  }
  return (session.branches ?? 0) > 1 ? [`${prompts}, ${session.branches} branches`, prompts] : [prompts]
}

/** The prompts on the path. A session whose head is before its first prompt is not called empty. */
function promptsOf(session: SessionSummary): string {
  if (session.prompts === null) return ""
  if (session.prompts > 0) return count(session.prompts, "prompt")
  if (isTask(session)) return "task"
  return session.branches === 0 ? "empty" : "before the first prompt"
}

function titleOf(session: SessionSummary): string {
  const title = sanitiseLine(session.title)
  return title === "" ? "(no title)" : title
}

function unreadableLine(ids: readonly SessionId[], all: string): string | undefined {
  return ids.length === 0
    ? undefined
    : `${count(ids.length, "session")} cannot be opened. See why with: retcon doctor${all}`
}
