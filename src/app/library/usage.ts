// What sessions have cost: requests, tokens and money, with their sub-agents, and of a whole directory.
import { directoryOf } from "../../history/tree/directory.ts"
import { addSpending, NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import type { Job, SessionAt, UncountedSessions, UsageAnswer } from "../../protocol/library.ts"
import { priceNamed } from "../../provider/catalogue/models.ts"
import { spent } from "../../provider/port/usage.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { ownConfig } from "../config/folder-trust.ts"
import { modelSettings } from "../config/model-config.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { unreadable } from "../protection/unreadable.ts"
import { foreignRequests, type LoggedRequest, loggedRequests } from "./logged-requests.ts"
import { openPlace } from "./named-session.ts"
import { withTasks } from "./session-kinds.ts"

export async function usage(
  deps: AppDeps,
  { session: place }: { session: SessionAt },
  job: Job = {},
): Promise<UsageAnswer> {
  const log = await openPlace(deps.store, place)
  try {
    return await usageOf(deps, log, job)
  } finally {
    await log.close()
  }
}

async function usageOf(deps: AppDeps, log: SessionLog, job: Job): Promise<UsageAnswer> {
  const { id, agent, file } = log
  const cwd = directoryOf(log)
  const here = await deps.store.list({ cwd, agents: "all" })
  const listed = here.filter((session) => session.agent === agent)
  const own = withTasks(id, listed)
  const sources = new Map(listed.map((session) => [session.id as string, requestsOf(deps, session)]))
  if (agent !== undefined) sources.set(id, async () => foreignRequests(log))
  else if (file !== undefined) sources.set(id, (ticked) => loggedRequests(file, ticked))
  const all = await spendingOf(deps, sources, job)
  const models = sum([...all].filter(([each]) => own.has(each)).map(([, each]) => each))
  const leftOut: UncountedSessions[] = []
  for (const other of new Set(here.map((session) => session.agent))) {
    const sessions = here.filter((session) => session.agent === other).length
    if (other !== agent) leftOut.push({ agent: other ?? OURS, sessions, because: "other-agent" })
  }
  const unread = unreadable({ ...deps, cwd }, here, "here").length
  if (unread > 0) leftOut.push({ agent: OURS, sessions: unread, because: "unreadable" })
  return {
    session: id,
    agent: agent ?? "retcon",
    title: listed.find((each) => each.id === id)?.title ?? "",
    tasks: own.size - 1,
    ...totalOf(models),
    models: [...models].map(([model, spending]) => ({ model, ...spending })),
    directory: { cwd, sessions: sources.size, leftOut, ...totalOf(sum(all.values())) },
  }
}

const OURS = "retcon"

type Requests = (tick: (bytes: number) => Promise<void>) => Promise<LoggedRequest[]>

function requestsOf(deps: AppDeps, session: SessionSummary): Requests {
  const { agent, file } = session
  if (agent === undefined) return async (tick) => (file === undefined ? [] : loggedRequests(file, tick))
  return async (tick) => {
    const log = (await deps.store.foreign.unread(session)).log()
    try {
      await tick(session.bytes)
      return foreignRequests(log)
    } finally {
      await log.close()
    }
  }
}

type ByModel = ReadonlyMap<string, Spending>

/** By session, then by model. A request that several sessions contain, because one is a copy, counts for the oldest. */
async function spendingOf(
  deps: AppDeps,
  sources: ReadonlyMap<string, Requests>,
  { tick, signal }: Job,
): Promise<Map<string, ByModel>> {
  const { models: overrides } = modelSettings(ownConfig(deps.home), {})
  const counted = new Set<string>()
  const all = new Map<string, ByModel>()
  // Ids of sessions begin with their time.
  const oldestFirst = [...sources].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [at, [id, requests]] of oldestFirst.entries()) {
    const models = new Map<string, Spending>()
    signal?.throwIfAborted()
    for (const request of await requests(async () => tick?.(at / sources.size))) {
      if (counted.has(request.id)) continue
      counted.add(request.id)
      const { model, usage } = request
      models.set(
        model,
        addSpending(models.get(model) ?? NOTHING_SPENT, spent(usage, model, priceNamed(model, overrides))),
      )
    }
    all.set(id, models)
  }
  return all
}

function sum(parts: Iterable<ByModel>): Map<string, Spending> {
  const summed = new Map<string, Spending>()
  for (const part of parts) {
    for (const [model, spending] of part) summed.set(model, addSpending(summed.get(model) ?? NOTHING_SPENT, spending))
  }
  return summed
}

function totalOf(models: ByModel): Spending {
  return [...models.values()].reduce(addSpending, NOTHING_SPENT)
}
