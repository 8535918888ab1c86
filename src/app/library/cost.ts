// What a session has cost with its sub-agents, and its directory: the same sums as `usage`, of these sessions only.

import { directoryOf } from "../../history/tree/directory.ts"
import { addSpending, NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import type { CostAnswer, Job, SessionAt, UncountedSessions } from "../../protocol/library.ts"
import { costOf } from "../../provider/port/usage.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { readPrices } from "../config/prices.ts"
import { countOnce } from "../digest/count-once.ts"
import { foreignRequests, loggedRequests } from "../digest/logged-requests.ts"
import { RequestTable } from "../digest/request-rows.ts"
import { allRequests, type SessionRequests } from "../digest/session-requests.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { unreadable } from "../protection/unreadable.ts"
import { openPlace } from "./named-session.ts"
import { withTasks } from "./session-kinds.ts"

export async function cost(
  deps: AppDeps,
  { session: place }: { session: SessionAt },
  job: Job = {},
): Promise<CostAnswer> {
  const log = await openPlace(deps.store, place)
  try {
    return await costOfLog(deps, log, job)
  } finally {
    await log.close()
  }
}

async function costOfLog(deps: AppDeps, log: SessionLog, job: Job): Promise<CostAnswer> {
  const { id, agent } = log
  const cwd = directoryOf(log)
  const here = await deps.store.list({ cwd, agents: "all" })
  const listed = here.filter((session) => session.agent === agent)
  const own = withTasks(id, listed)
  const files = new Set(listed.map(({ file }) => file))
  const known = await allRequests(deps, job, ({ file, agent: its }) => its === agent && files.has(file))
  // A copy elsewhere is in no list, and counts instead of the session that it is a copy of.
  const isListed = known.some(({ session }) => session.id === id && session.file === log.file)
  const all = isListed ? known : [...known.filter(({ session }) => session.id !== id), await elsewhere(log, cwd)]
  const spending = spendingOf(deps, all)
  const models = sum([...spending].filter(([each]) => own.has(each)).map(([, each]) => each))
  const leftOut: UncountedSessions[] = []
  for (const other of new Set(here.map((session) => session.agent))) {
    const sessions = here.filter((session) => session.agent === other).length
    if (other !== agent) leftOut.push({ agent: other ?? OURS, sessions, because: "other-agent" })
  }
  const unread = unreadable({ ...deps, cwd }, here, "here").length
  if (unread > 0) leftOut.push({ agent: OURS, sessions: unread, because: "unreadable" })
  const unopened = known.filter(({ problem }) => problem !== undefined).length
  if (unopened > 0 && agent !== undefined) leftOut.push({ agent, sessions: unopened, because: "unreadable" })
  return {
    session: id,
    agent: agent ?? OURS,
    title: listed.find((each) => each.id === id)?.title ?? "",
    tasks: own.size - 1,
    ...totalOf(models),
    models: [...models].map(([model, each]) => ({ model, ...each })),
    directory: { cwd, sessions: all.length, leftOut, ...totalOf(sum(spending.values())) },
  }
}

const OURS = "retcon"

async function elsewhere(log: SessionLog, cwd: string): Promise<SessionRequests> {
  const { id, agent, file } = log
  const table = new RequestTable(0)
  const requests =
    agent === undefined && file !== undefined ? await loggedRequests(file, async () => undefined) : foreignRequests(log)
  for (const request of requests) table.add(request)
  const shown = { title: "", prompts: null, branches: null, updated: "", archived: false, bytes: 0, from: undefined }
  const session: SessionSummary = { id, file, cwd, ...shown, ...(agent !== undefined && { agent }) }
  return { session, mtime: 0, ...table.result() }
}

type ByModel = ReadonlyMap<string, Spending>

/** By session, then by model. */
function spendingOf(deps: AppDeps, all: readonly SessionRequests[]): Map<string, ByModel> {
  const prices = readPrices({ home: deps.home, warn: (text) => deps.warn(text) })
  const spending = new Map<string, Map<string, Spending>>()
  for (const { session, model, ...spent } of countOnce(all)) {
    const price = prices.of(model)
    const money = price === undefined ? { cost: null, unpriced: [model] } : { cost: costOf(spent, price), unpriced: [] }
    const { requests, input, output, cacheRead, cacheWrite } = spent
    const models = spending.get(session.id) ?? new Map<string, Spending>()
    const added = { requests, input, output, cacheRead, cacheWrite, ...money }
    models.set(model, addSpending(models.get(model) ?? NOTHING_SPENT, added))
    spending.set(session.id, models)
  }
  return spending
}

function sum(parts: Iterable<ByModel>): Map<string, Spending> {
  const summed = new Map<string, Spending>()
  for (const part of parts) {
    for (const [model, each] of part) summed.set(model, addSpending(summed.get(model) ?? NOTHING_SPENT, each))
  }
  return summed
}

function totalOf(models: ByModel): Spending {
  return [...models.values()].reduce(addSpending, NOTHING_SPENT)
}
