// retcon cost: requests, tokens and money of a session with its sub-agents, and of all sessions of this directory.

import { directoryOf } from "../../history/tree/directory.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { priceOf } from "../../provider/catalogue/models.ts"
import { addSpending, NOTHING_SPENT, type Spending, spent } from "../../provider/port/spending.ts"
import { ownConfig } from "../config/folder-trust.ts"
import { modelSettings } from "../config/model-config.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { progress } from "../render/progress.ts"
import { NOTE_UNKNOWN_PRICE, spendingLines } from "../render/spending-lines.ts"
import { styleFor } from "../render/style.ts"
import { loggedRequests } from "../search/logged-requests.ts"
import { withTasks } from "../sessions/kinds.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export interface CostFlags extends SessionChoice {
  json?: boolean
}

export async function run(cli: Cli, options: CostFlags): Promise<void> {
  const chosen = await withChosen(cli, options, async ({ id, log }) => ({ id, file: log.file, cwd: directoryOf(log) }))
  const listed = await cli.store.list({ cwd: chosen.cwd })
  const own = withTasks(chosen.id, listed)
  const files = new Map(listed.flatMap(({ id, file }) => (file === undefined ? [] : [[id as string, file]])))
  if (chosen.file !== undefined) files.set(chosen.id, chosen.file)
  const all = await spendingOf(cli, files)
  const session = sum([...all].filter(([id]) => own.has(id)).map(([, models]) => models))
  const directory = sum(all.values())
  const summary = listed.find(({ id }) => id === chosen.id)
  if (options.json === true) {
    const models = [...session].map(([model, spending]) => ({ model, ...spending }))
    const whole = { cwd: chosen.cwd, sessions: files.size, ...total(directory) }
    printJson(cli.out, { session: chosen.id, tasks: own.size - 1, ...total(session), models, directory: whole })
    return
  }
  const style = styleFor(cli.out)
  const title = sanitiseLine(summary?.title ?? "")
  const tasks = own.size > 1 ? `, with ${count(own.size - 1, "task")}` : ""
  const heading = `Session ${shortId(chosen.id)}${title === "" ? "" : ` · ${title}`}${tasks}`
  const lines = [style.strong(clip(heading, cli.out.width)), ...spendingLines(session, total(session), cli.out.width)]
  const { requests, cost } = total(directory)
  const money = cost === null ? "cost not known" : `$${cost.toFixed(4)}`
  lines.push("", `This directory: ${count(files.size, "session")}, ${count(requests, "request")}, ${money}.`)
  if (cost === null) lines.push(style.quiet(NOTE_UNKNOWN_PRICE))
  cli.out.write(lines.map((line) => `${line}\n`).join(""))
}

type ByModel = ReadonlyMap<string, Spending>

/** By session, then by model. A request that several sessions hold, because one is a copy, is counted for the oldest. */
async function spendingOf(cli: Cli, files: ReadonlyMap<string, string>): Promise<Map<string, ByModel>> {
  const { models: overrides } = modelSettings(ownConfig(cli.home), {})
  const shown = progress(cli, "Adding up")
  const counted = new Set<string>()
  const all = new Map<string, ByModel>()
  // Ids of sessions tell the time.
  const oldestFirst = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [at, [id, file]] of oldestFirst.entries()) {
    const models = new Map<string, Spending>()
    for (const request of await loggedRequests(file, () => shown.tick(at / files.size))) {
      if (counted.has(request.id)) continue
      counted.add(request.id)
      const { model, usage } = request
      models.set(model, addSpending(models.get(model) ?? NOTHING_SPENT, spent(usage, priceOf(model, overrides))))
    }
    all.set(id, models)
  }
  shown.done()
  return all
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
