// What all sessions of every agent took: requests, tokens and money, by day, model, agent, project or session.

import { RetconError } from "../../model/failure/retcon-error.ts"
import { worksForAnother } from "../../model/record/record.ts"
import { NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import type { Job, UsageAnswer, UsageBy, UsageQuery, UsageRow } from "../../protocol/library.ts"
import { costOf } from "../../provider/port/usage.ts"
import type { SessionSummary } from "../../store/port.ts"
import { type Prices, readPrices } from "../config/prices.ts"
import { countOnce, type Spent } from "../digest/count-once.ts"
import { QUARTER } from "../digest/request-rows.ts"
import { allRequests, type SessionRequests } from "../digest/session-requests.ts"
import type { AppDeps } from "../port/app-deps.ts"

export async function usage(deps: AppDeps, query: UsageQuery, job: Job = {}): Promise<UsageAnswer> {
  const { by = [], agent, project } = query
  const [since, until] = [limitOf(query.since), limitOf(query.until)]
  const prices = readPrices({ home: deps.home, warn: (text) => deps.warn(text) })
  const all = await allRequests(deps, job)
  const projects = projectsOf(all)
  const sums = new Map<string, Sum>()
  const total = new Sum({})
  const nameOf = names(by, projects, query.utc === true)
  for (const spent of countOnce(all)) {
    const { session, at } = spent
    if (at < (since ?? Number.NEGATIVE_INFINITY) || at >= (until ?? Number.POSITIVE_INFINITY)) continue
    if (agent !== undefined && (session.agent ?? OURS) !== agent) continue
    if (project !== undefined && !(projects.get(session) ?? "").includes(project)) continue
    total.add(spent, prices)
    if (by.length === 0) continue
    const named = nameOf(spent)
    const key = by.map((each) => named[each]).join("\n")
    let sum = sums.get(key)
    if (sum === undefined) {
      const { title } = session
      sum = new Sum({ ...named, ...(by.includes("session") && { title }) })
      sums.set(key, sum)
    }
    sum.add(spent, prices)
  }
  return {
    ...total.spending(),
    by,
    sessions: total.sessions,
    rows: [...sums.values()].map((sum) => sum.row()).sort(inOrder(by)),
    prices: { dated: prices.dated, file: prices.file },
    leftOut: all.flatMap(({ session, problem }) =>
      problem === undefined
        ? []
        : [{ session: session.id, agent: session.agent ?? OURS, file: session.file ?? null, problem }],
    ),
  }
}

const OURS = "retcon"

function limitOf(time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const ms = Date.parse(time)
  if (!Number.isNaN(ms)) return Math.floor(ms / QUARTER) * QUARTER
  throw new RetconError({
    code: "invalid",
    problem: `"${time}" is not a time.`,
    advice: "Use one such as 2026-11-18T00:00:00Z.",
  })
}

/** The folder of each session; a sub-agent may have worked in another than the session that it worked for. */
function projectsOf(all: readonly SessionRequests[]): Map<SessionSummary, string> {
  const byId = new Map(all.map(({ session }) => [session.id, session]))
  const folder = (session: SessionSummary): string => {
    let at = session
    for (let up = 0; worksForAnother(at.from) && at.from !== undefined && up < MOST_TASKS; up++)
      at = byId.get(at.from.session) ?? { ...at, from: undefined }
    return at.cwd === "" ? session.cwd : at.cwd
  }
  return new Map(all.map(({ session }) => [session, folder(session)]))
}

/** Sub-agents of sub-agents, … */
const MOST_TASKS = 20

type Names = Partial<Record<UsageBy, string>>

function names(
  by: readonly UsageBy[],
  projects: ReadonlyMap<SessionSummary, string>,
  utc: boolean,
): (spent: Spent) => Names {
  const dayAt = days(utc)
  const each: Record<UsageBy, (spent: Spent) => string> = {
    day: ({ at }) => dayAt(at),
    week: ({ at }) => mondayBefore(dayAt(at)),
    month: ({ at }) => dayAt(at).slice(0, 7),
    model: ({ model }) => model,
    agent: ({ session }) => session.agent ?? OURS,
    project: ({ session }) => projects.get(session) ?? "",
    session: ({ session }) => session.id,
  }
  return (spent) => {
    const named: Names = {}
    for (const name of by) named[name] = each[name](spent)
    return named
  }
}

const DAY = 24 * 60 * 60 * 1000

/** The name of the day of a moment. The clock is asked once for each day, and for each moment of a day in which it changes. */
function days(utc: boolean): (at: number) => string {
  const shifts = new Map<number, number | undefined>()
  const dates = new Map<number, string>()
  const shiftOf = (at: number) => (utc ? 0 : -new Date(at).getTimezoneOffset() * 60_000)
  return (at) => {
    const day = Math.floor(at / DAY)
    if (!shifts.has(day)) {
      const [first, last] = [shiftOf(day * DAY), shiftOf((day + 1) * DAY)]
      shifts.set(day, first === last ? first : undefined)
    }
    const local = Math.floor((at + (shifts.get(day) ?? shiftOf(at))) / DAY)
    let date = dates.get(local)
    if (date === undefined) {
      date = new Date(local * DAY).toISOString().slice(0, 10)
      dates.set(local, date)
    }
    return date
  }
}

/** Computed on dates: a week in which the clock changes has no 168 hours. */
function mondayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

/** A sum that grows. */
class Sum {
  readonly #names: Names & { title?: string }
  readonly #unpriced = new Set<string>()
  readonly #sessions = new Set<SessionSummary>()
  #spending = { ...NOTHING_SPENT }
  #isPriced = false

  constructor(named: Names & { title?: string }) {
    this.#names = named
  }

  get sessions(): number {
    return this.#sessions.size
  }

  add(spent: Spent, prices: Prices): void {
    const { model, session, requests, input, output, cacheRead, cacheWrite } = spent
    const sum = this.#spending
    const price = prices.of(model)
    sum.requests += requests
    sum.input += input
    sum.output += output
    sum.cacheRead += cacheRead
    sum.cacheWrite += cacheWrite
    if (price === undefined) this.#unpriced.add(model)
    else {
      sum.cost = (sum.cost ?? 0) + costOf(spent, price)
      this.#isPriced = true
    }
    this.#sessions.add(session)
  }

  spending(): Spending {
    const unpriced = [...this.#unpriced].sort()
    const cost = this.#isPriced || unpriced.length === 0 ? this.#spending.cost : null
    return { ...this.#spending, cost, unpriced }
  }

  row(): UsageRow {
    return { ...this.#names, ...this.spending(), sessions: this.sessions }
  }
}

const TIMES: readonly UsageBy[] = ["day", "week", "month"]

function inOrder(by: readonly UsageBy[]): (a: UsageRow, b: UsageRow) => number {
  const time = by.find((each) => TIMES.includes(each))
  return (a, b) => {
    const [one = "", other = ""] = time === undefined ? [] : [a[time], b[time]]
    if (one !== other) return one < other ? -1 : 1
    return (b.cost ?? 0) - (a.cost ?? 0) || tokensIn(b) - tokensIn(a) || (labelOf(a, by) < labelOf(b, by) ? -1 : 1)
  }
}

function tokensIn({ input, output, cacheRead, cacheWrite }: Spending): number {
  return input + output + cacheRead + cacheWrite
}

function labelOf(row: UsageRow, by: readonly UsageBy[]): string {
  return by.map((each) => row[each] ?? "").join("\n")
}
