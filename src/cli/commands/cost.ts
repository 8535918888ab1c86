// retcon cost: requests, tokens and money of a session with its sub-agents, and of all sessions of this directory.

import { directoryOf } from "../../history/tree/directory.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { costWords, count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { idsNamed, priceOf } from "../../provider/catalogue/models.ts"
import { addSpending, NOTHING_SPENT, type Spending, spent } from "../../provider/port/spending.ts"
import type { SessionSummary } from "../../store/port.ts"
import { ownConfig } from "../config/folder-trust.ts"
import { modelSettings } from "../config/model-config.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { progress } from "../render/progress.ts"
import { NOTE_UNKNOWN_PRICE, spendingLines } from "../render/spending-lines.ts"
import { styleFor } from "../render/style.ts"
import { foreignRequests, type LoggedRequest, loggedRequests } from "../search/logged-requests.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"
import { withTasks } from "../sessions/session-kinds.ts"

export interface CostFlags extends SessionChoice {
  json?: boolean
}

export async function run(cli: Cli, options: CostFlags): Promise<void> {
  const chosen = await withChosen(cli, { ...options, named: true }, async ({ id, log }) => {
    const asked = log.agent === undefined ? undefined : foreignRequests(log)
    return { id, agent: log.agent, asked, file: log.file, cwd: directoryOf(log) }
  })
  const listed = await listedWith(cli, chosen)
  const own = withTasks(chosen.id, listed)
  const sources = new Map(listed.map((session) => [session.id as string, requestsOf(cli, session)]))
  const { asked, file } = chosen
  if (asked !== undefined) sources.set(chosen.id, async () => asked)
  else if (file !== undefined) sources.set(chosen.id, (tick) => loggedRequests(file, tick))
  const all = await spendingOf(cli, sources)
  const session = sum([...all].filter(([id]) => own.has(id)).map(([, models]) => models))
  const directory = sum(all.values())
  const summary = listed.find(({ id }) => id === chosen.id)
  if (options.json === true) {
    const models = [...session].map(([model, spending]) => ({ model, ...spending, unpriced: undefined }))
    const whole = { cwd: chosen.cwd, sessions: sources.size, ...total(directory) }
    printJson(cli.out, { session: chosen.id, tasks: own.size - 1, ...total(session), models, directory: whole })
    return
  }
  const style = styleFor(cli.out)
  const title = sanitiseLine(summary?.title ?? "")
  const tasks = own.size > 1 ? `, with ${count(own.size - 1, "task")}` : ""
  const heading = `Session ${shortId(chosen.id)}${title === "" ? "" : ` · ${title}`}${tasks}`
  const lines = [style.strong(clip(heading, cli.out.width)), ...spendingLines(session, total(session), cli.out.width)]
  const { requests, cost, unpriced } = total(directory)
  const money = cost === null ? "cost not known" : costWords(cost, unpriced)
  const whose = chosen.agent === undefined ? "" : ` of ${agentTitle(chosen.agent)}`
  const sessions = `${count(sources.size, "session")}${whose}`
  lines.push("", `This directory: ${sessions}, ${count(requests, "request")}, ${money}.`)
  if (unpriced.length > 0) lines.push(style.quiet(NOTE_UNKNOWN_PRICE))
  if (cost !== null && whose !== "" && requests > 0)
    lines.push(style.quiet("At API prices; a subscription is priced differently."))
  cli.out.write(lines.map((line) => `${line}\n`).join(""))
}

type Requests = (tick: (bytes: number) => Promise<void>) => Promise<LoggedRequest[]>

/** The sessions of the directory by the same agent. */
async function listedWith(cli: Cli, { agent, cwd }: { agent?: string | undefined; cwd: string }) {
  if (agent === undefined) return cli.store.list({ cwd })
  const listed = await cli.store.foreign.list({ agents: [agent] })
  return listed.filter((session) => session.cwd === cwd)
}

function requestsOf(cli: Cli, session: SessionSummary): Requests {
  const { agent, file } = session
  if (agent === undefined) return async (tick) => (file === undefined ? [] : loggedRequests(file, tick))
  return async (tick) => {
    const log = (await cli.store.foreign.unread(session)).log()
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
async function spendingOf(cli: Cli, sources: ReadonlyMap<string, Requests>): Promise<Map<string, ByModel>> {
  const { models: overrides } = modelSettings(ownConfig(cli.home), {})
  const shown = progress(cli, "Adding up")
  const counted = new Set<string>()
  const all = new Map<string, ByModel>()
  // Ids of sessions begin with their time.
  const oldestFirst = [...sources].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [at, [id, requests]] of oldestFirst.entries()) {
    const models = new Map<string, Spending>()
    for (const request of await requests(() => shown.tick(at / sources.size))) {
      if (counted.has(request.id)) continue
      counted.add(request.id)
      const { model, usage } = request
      models.set(
        model,
        addSpending(models.get(model) ?? NOTHING_SPENT, spent(usage, model, priceOf(pricedName(model), overrides))),
      )
    }
    all.set(id, models)
  }
  shown.done()
  return all
}

/** Other agents omit the provider if there is only one. */
function pricedName(model: string): string {
  return model.includes("/") ? model : (idsNamed(model)[0] ?? model)
}

function sum(parts: Iterable<ByModel>): Map<string, Spending> {
  const summed = new Map<string, Spending>()
  for (const part of parts) {
    for (const [model, spending] of part) summed.set(model, addSpending(summed.get(model) ?? NOTHING_SPENT, spending))
  }
  return summed
}

function total(models: ByModel): Spending {
  return [...models.values()].reduce(addSpending, NOTHING_SPENT)
}
