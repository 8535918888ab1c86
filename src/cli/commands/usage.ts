// retcon usage: requests, tokens and money of all sessions of every agent. retcon cost: of a session with its sub-agents, and of this
// directory.
import { storePrices } from "../../app/config/prices.ts"
import { makeLibrary } from "../../app/library/library.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { addSpending, NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import { costWords, count, shortNumber } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import {
  type UncountedSessions,
  USAGE_BY,
  type UsageAnswer,
  type UsageBy,
  type UsageQuery,
  type UsageRow,
} from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { NOTE_UNKNOWN_PRICE, spendingLines } from "../render/spending-lines.ts"
import { styleFor } from "../render/style.ts"
import { dayOf, parseTime } from "../sessions/parse-time.ts"
import { atChosen, type SessionChoice } from "../sessions/select.ts"
import { agentNamed } from "../sessions/session-filter.ts"

interface UsageFlags {
  by?: string
  since?: string
  until?: string
  agent?: string
  project?: string
  utc?: boolean
  line?: boolean
  prices?: string
  json?: boolean
}

export async function run(cli: Cli, options: UsageFlags): Promise<void> {
  if (options.prices !== undefined) return takePrices(cli, options.prices, options.json === true)
  const { utc = false } = options
  const time = (text: string, end = false) => parseTime(text, { now: cli.now(), utc, end })
  const filter: UsageQuery = {
    ...(options.agent !== undefined && { agent: agentNamed(options.agent) }),
    ...(options.project !== undefined && { project: options.project }),
    ...(options.until !== undefined && { until: time(options.until, true) }),
    ...(utc && { utc }),
  }
  const ask = (query: UsageQuery) => {
    const shown = progress(cli, "Reading sessions")
    return makeLibrary(cli)
      .usage({ ...filter, ...query }, shown)
      .finally(shown.done)
  }
  const [today, week, month] = ["today", "7d", "30d"].map((each) => dayOf(time(each), utc)) as [string, string, string]
  if (options.line === true) return printLine(cli, await ask({ by: ["day"], since: time("7d") }), today)
  const by = options.by === undefined ? undefined : parseBy(options.by)
  const since = options.since === undefined ? undefined : time(options.since)
  if (options.json === true || by !== undefined) {
    const answer = await ask({ by: by ?? ["day"], ...(since !== undefined && { since }) })
    if (options.json === true) return printJson(cli.out, answer)
    return page(cli, tableOf(cli, answer))
  }
  const answer = await ask({ by: ["day"], since: since ?? time("30d") })
  await page(cli, overview(cli, answer, { days: { today, week, month }, own: options.since !== undefined }))
}

function parseBy(text: string): UsageBy[] {
  const by = [...new Set(text.split(",").map((each) => each.trim()))]
  for (const each of by) {
    if (!(USAGE_BY as readonly string[]).includes(each))
      throw new UsageError(`"${sanitiseLine(each)}" is nothing to count by.`, `Use one of: ${USAGE_BY.join(", ")}.`)
  }
  return by as UsageBy[]
}

function takePrices(cli: Cli, file: string, json: boolean): void {
  const stored = storePrices(cli.home, file)
  if (json) return printJson(cli.out, stored)
  cli.out.write(`Prices of ${count(stored.models, "model")}, dated ${stored.dated}, count from now on.\n`)
}

/** "today $3.10 · 7 days $18.20". `today`: its name. */
function printLine(cli: Cli, answer: UsageAnswer, today: string): void {
  const ofToday = sumOf(answer.rows.filter(({ day }) => day === today))
  cli.out.write(`today ${shortMoney(ofToday)} · 7 days ${shortMoney(answer)}\n`)
}

function sumOf(rows: readonly Spending[]): Spending {
  return rows.reduce(addSpending, NOTHING_SPENT)
}

/** A sum that leaves models out says so with a plus; without any price, the tokens are told. */
function shortMoney(spending: Spending): string {
  if (spending.cost === null) return `${shortNumber(tokensOf(spending))} tokens`
  return `$${spending.cost.toFixed(2)}${spending.unpriced.length > 0 ? "+" : ""}`
}

function tokensOf({ input, output, cacheRead, cacheWrite }: Spending): number {
  return input + output + cacheRead + cacheWrite
}

const HEADINGS: Readonly<Record<UsageBy, (row: UsageRow) => string>> = {
  day: ({ day = "" }) => day,
  week: ({ week = "" }) => `week of ${week}`,
  month: ({ month = "" }) => month,
  model: ({ model = "" }) => model,
  agent: ({ agent = "" }) => agentTitle(agent),
  project: ({ project = "" }) => (project === "" ? "(unknown folder)" : project),
  session: ({ session = "", title = "" }) => `${shortId(session)} ${title}`,
}

function* tableOf(cli: Cli, answer: UsageAnswer): Generator<string> {
  const { by, rows } = answer
  const { width } = cli.out
  if (rows.length === 0) {
    yield "There are no recorded requests in this time."
    return
  }
  const named = rows.map((row) => ({ ...row, names: by.map((each) => HEADINGS[each](row)) }))
  yield* spendingLines({ rows: named, sum: answer, digits: 2, width })
  yield* notes(cli, answer)
}

/** What the sum means, and what it leaves out. */
function* notes(cli: Cli, { unpriced, prices, leftOut, cost }: UsageAnswer): Generator<string> {
  const { width } = cli.out
  const style = styleFor(cli.out)
  const from = prices.file === null ? "" : `, from ${sanitiseLine(prices.file)}`
  if (cost !== null && cost > 0) {
    yield style.quiet(clip(`At API prices of ${prices.dated}${from}; a subscription is priced differently.`, width))
  }
  if (unpriced.length > 0) yield* wrap(NOTE_PRICES, width).map((line) => style.quiet(line))
  if (leftOut.length === 0) return
  yield* wrap(`Not included: ${count(leftOut.length, "session")} that cannot be read.`, width)
  for (const { agent, file, problem } of leftOut.slice(0, MOST_LEFT_OUT))
    yield clip(`  ${agentTitle(agent)}  ${sanitiseLine(file ?? "")}: ${sanitiseLine(problem)}`, width)
}

const MOST_LEFT_OUT = 5
const NOTE_PRICES =
  "A price is missing. Give prices with: retcon usage --prices FILE, such as the one that LiteLLM publishes."

interface Overview {
  /** The names of today and of the first of seven and thirty days. */
  days: { today: string; week: string; month: string }
  /** The person named a time. */
  own: boolean
}

/** Today, 7 days, 30 days, and a bar for each day. */
function* overview(cli: Cli, answer: UsageAnswer, { days, own }: Overview): Generator<string> {
  const { width } = cli.out
  const { rows } = answer
  if (rows.length === 0) {
    yield own ? "There are no recorded requests in this time." : "There are no recorded requests in the last 30 days."
    yield* notes(cli, answer)
    return
  }
  const since = (first: string) => sumOf(rows.filter(({ day = "" }) => day >= first))
  const spans = own
    ? []
    : [
        { ...since(days.today), names: ["today"] },
        { ...since(days.week), names: ["7 days"] },
      ]
  const all = { ...answer, names: [own ? "all" : "30 days"] }
  yield* spendingLines({ rows: [...spans, all], sum: undefined, digits: 2, width })
  yield ""
  yield* bars(cli, answer)
  yield* notes(cli, answer)
}

/** As long as the money of a day or, without prices, its tokens. */
function* bars(cli: Cli, { rows, cost }: UsageAnswer): Generator<string> {
  const style = styleFor(cli.out)
  const size = (row: UsageRow) => (cost === null || cost === 0 ? tokensOf(row) : (row.cost ?? 0))
  const most = Math.max(...rows.map(size))
  const room = Math.max(8, cli.out.width - 10 - 2 - 12)
  for (const row of rows) {
    const full = most === 0 ? 0 : (size(row) / most) * room
    const bar = "█".repeat(Math.floor(full)) + (EIGHTHS[Math.floor((full % 1) * 8)] ?? "")
    yield `${row.day}  ${style.good(bar)} ${style.quiet(shortMoney(row))}`
  }
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

interface CostFlags extends SessionChoice {
  json?: boolean
}

export async function cost(cli: Cli, options: CostFlags): Promise<void> {
  const shown = progress(cli, "Adding up")
  const spent = await atChosen(cli, { ...options, named: true }, (session) =>
    makeLibrary(cli).cost({ session }, shown).finally(shown.done),
  )
  if (options.json === true) return printJson(cli.out, spent)
  const { directory } = spent
  const style = styleFor(cli.out)
  const title = sanitiseLine(spent.title)
  const tasks = spent.tasks > 0 ? `, with ${count(spent.tasks, "task")}` : ""
  const heading = `Session ${shortId(spent.session)}${title === "" ? "" : ` · ${title}`}${tasks}`
  const rows = spent.models.map((each) => ({ ...each, names: [each.model] }))
  const table =
    spent.requests === 0
      ? ["It has no recorded requests."]
      : spendingLines({ rows, sum: spent, digits: 4, width: cli.out.width })
  const lines = [style.strong(clip(heading, cli.out.width)), ...table]
  const { requests, cost: dollars, unpriced } = directory
  const money = dollars === null ? "cost not known" : costWords(dollars, unpriced)
  const whose = spent.agent === "retcon" ? "" : ` of ${agentTitle(spent.agent)}`
  const sessions = `${count(directory.sessions, "session")}${whose}`
  lines.push("", `This directory: ${sessions}, ${count(requests, "request")}, ${money}.`)
  if (directory.leftOut.length > 0) lines.push(...wrap(leftOutWords(directory.leftOut), cli.out.width))
  if (unpriced.length > 0) lines.push(style.quiet(NOTE_UNKNOWN_PRICE))
  if (dollars !== null && whose !== "" && requests > 0)
    lines.push(style.quiet("At API prices; a subscription is priced differently."))
  cli.out.write(lines.map((line) => `${line}\n`).join(""))
}

function leftOutWords(leftOut: readonly UncountedSessions[]): string {
  const each = leftOut.map(({ agent, sessions, because }) => {
    const unreadable = because === "unreadable" ? " that cannot be read" : ""
    return `${count(sessions, "session")} of ${agentTitle(agent)}${unreadable}`
  })
  const others = leftOut.some(({ because }) => because === "other-agent")
  return `Not included: ${each.join(", ")}.${others ? " Another agent's: retcon cost -s SESSION" : ""}`
}
