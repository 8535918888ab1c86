// retcon prompts: what the person asked, in order. The numbers are for `goto @N`; a message typed while the agent worked is
// listed under its prompt, with its id, and so is a prompt that the agent's Backtrack left behind.
import { promptsAnywhere } from "../../app/library/past-prompts.ts"
import { loadAgentCopies } from "../../app/open/load-agent-copies.ts"
import { type RoundCommits, roundCommits } from "../../history/files/round-commits.ts"
import { askedPrompts, steeringOf } from "../../history/tree/asked.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { type RecordId, shortId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { KIND } from "../../model/record/record.ts"
import { AGE_WIDTH, age, count, LEFT_BY_BACKTRACK } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"
import { printJsonList } from "../port/print-json.ts"
import { tellDamage } from "../render/damage-lines.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import { parseTime } from "../sessions/parse-time.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"
import { agentNamed } from "../sessions/session-filter.ts"

export interface PromptsFlags extends SessionChoice {
  limit?: number
  /** In all sessions of every agent; the next three only with it. */
  all?: boolean
  text?: string
  since?: string
  agent?: string
  json?: boolean
}

export async function run(cli: Cli, options: PromptsFlags): Promise<void> {
  if (options.all === true) return everywhere(cli, options)
  await withChosen(cli, options, async (session) => {
    const { limit } = options
    const first = limit === undefined ? undefined : askedPrompts(session.history, session.headRow, limit)[0]
    tellDamage(cli, session, first?.prompt)
    const listed = promptsOf(session, options.limit, await loadAgentCopies(session.log))
    if (options.json === true) await printJsonList(cli.out, listed)
    else await page(cli, screen(cli, session, listed))
  })
}

const MOST = 100

async function everywhere(cli: Cli, { limit = MOST, text, since, agent, json }: PromptsFlags): Promise<void> {
  const shown = progress(cli, "Reading sessions")
  const found = await promptsAnywhere(
    cli.store,
    {
      limit,
      ...(text !== undefined && { text }),
      ...(since !== undefined && { since: parseTime(since, { now: cli.now() }) }),
      ...(agent !== undefined && { agent: agentNamed(agent) }),
    },
    shown,
  ).finally(shown.done)
  if (json === true) return printJsonList(cli.out, found)
  const style = styleFor(cli.out)
  await page(
    cli,
    found.map((each) => {
      const when = pad(age(each.at, cli.now()), AGE_WIDTH, "left")
      const place = `${style.id(shortId(each.session))}  ${pad(agentTitle(each.agent), 12)}`
      return clip(`${when}  ${place}  ${sanitiseLine(each.text)}`, cli.out.width)
    }),
  )
}

interface Prompt {
  id: string
  text: string
  at: string
  /** Its number on the path; null if the agent's Backtrack left it behind: it is on another path. */
  round: number | null
  passed?: true
  /** Typed while the agent worked on it. */
  steer: { id: string; text: string; at: string }[]
  /** What the round changed, and the snapshots around it; null if none was taken. */
  files: { path: string; change: string }[]
  before: string | null
  after: string | null
  /** Each repository's commit when the round began and when it ended, as far as snapshots or another program recorded it. */
  repositories: RoundCommits[]
}

type Copies = Awaited<ReturnType<typeof loadAgentCopies>>

/** Contract (docs/cli.md): oldest first; with a limit, only the last ones, at the cost of what was written since. */
function* promptsOf(session: Session, limit: number | undefined, copies: Copies): Generator<Prompt> {
  const { history } = session
  const asked = askedPrompts(history, session.headRow, limit)
  const first = asked[0]?.prompt ?? NONE
  const covered = history.last(KIND.snapshot) !== NONE
  const rounds = covered ? session.files.rounds(limit === undefined ? {} : { last: limit }) : []
  const commits = covered ? roundCommits(history, limit === undefined ? NONE : first) : undefined
  const noted = new Map((copies?.commits?.(first) ?? []).map((each) => [each.prompt, each]))
  const steering = steeringOf(history, asked)
  for (const [i, { prompt: row, passed }] of asked.entries()) {
    const { id, text, at } = said(history, row)
    const steer = (steering.get(row) ?? []).map((each) => said(history, each))
    const { changes = [], before = null, after = null } = rounds[i] ?? {}
    const files = changes.map(({ path, change }) => ({ path, change }))
    const { from, to } = noted.get(row) ?? {}
    const recorded = from === undefined || to === undefined ? [] : [{ path: "", before: from, after: to }]
    const repositories = commits?.get(id) ?? recorded
    const round = passed ? null : history.round(row)
    yield { id, text, at, round, ...(passed && { passed }), steer, files, before, after, repositories }
  }
}

function said(history: History, row: Row): { id: RecordId; text: string; at: string } {
  const record = history.record(row)
  return { id: history.id(row), text: (record && entryText(record)) ?? "", at: record?.at ?? "" }
}

function* screen(cli: Cli, session: Session, listed: Iterable<Prompt>): Generator<string> {
  const style = styleFor(cli.out)
  const ids = shortIds(session.history)
  const digits = String(session.history.round(session.headRow)).length + 1
  const { width } = cli.out
  let any = false
  const line = (name: string, { id, text, at }: Pick<Prompt, "id" | "text" | "at">, changed = "") => {
    const short = pad(ids.of(session.history.rowOf(id)), ids.width)
    const when = pad(age(at, cli.now()), AGE_WIDTH, "left")
    const room = width - digits - ids.width - AGE_WIDTH - 6 - changed.length
    const shown = clip(sanitiseLine(text), room)
    const number = style.strong(pad(name, digits, "left"))
    return `${number}  ${style.id(short)}  ${style.quiet(when)}  ${shown}${style.quiet(changed)}`
  }
  for (const prompt of listed) {
    any = true
    const { length } = prompt.files
    const changed = length === 0 ? "" : `  +${count(length, "file")}`
    const name = prompt.round === null ? "-" : `@${prompt.round}`
    yield line(name, prompt, prompt.passed === true ? `  (${LEFT_BY_BACKTRACK})${changed}` : changed)
    for (const each of prompt.steer) yield line("+", each)
  }
  if (!any) yield style.quiet("There are no prompts on this path.")
}
