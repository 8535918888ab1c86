// retcon explore PROMPT: several attempts at one prompt, each in a copy of the folder. A person picks one, or none.
import { makeHost } from "../../app/host.ts"
import { idNamed } from "../../app/library/named-session.ts"
import { hostDeps } from "../../app/setup/make-host-deps.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { canContinue } from "../../protocol/can-continue.ts"
import type { AttemptState, ExploreRequest } from "../../protocol/explore.ts"
import { attemptLine, attemptTable, exploredWords, inOrder } from "../../protocol/explore-words.ts"
import type { Host, WorkSession } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import { checkAllowed } from "../config/allow-option.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { onStop } from "../process/interrupt.ts"
import { askAtTerminal, refuseAll } from "./approve.ts"

interface ExploreOptions {
  prompt: string[]
  session?: string
  n?: number
  model?: string[]
  check?: string[]
  setup?: string
  jobs?: number
  budget?: number
  time?: number
  mode?: PermissionMode
  allow?: string[]
  list?: boolean
  resume?: boolean
  clean?: boolean | string
  force?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ExploreOptions): Promise<number> {
  checkAllowed(options.allow)
  const asked = [options.list, options.resume, options.clean].filter((each) => each !== undefined && each !== false)
  const prompt = options.prompt.join(" ").trim()
  if (asked.length > 1) throw new UsageError("--list, --resume and --clean are three commands.", "Use one of them.")
  if (asked.length === 1 && prompt !== "")
    throw new UsageError("With this option there is no prompt.", "Leave one of them out.")
  if (asked.length === 0 && prompt === "")
    throw new UsageError("There is no prompt.", 'Add one: retcon explore -n 3 "make the test pass"')
  const { deps, notices, close } = await hostDeps(cli, {
    ...(options.allow !== undefined && { allow: options.allow }),
    watched: cli.out.isTerminal,
  })
  const host = makeHost(deps)
  try {
    const session = await sessionFor(cli, host, options.session, asked.length === 0)
    try {
      if (options.list === true) return list(cli, await session.attempts(), options)
      if (options.resume === true) return resumed(cli, await session.finishAttempts(), options)
      if (options.clean !== undefined && options.clean !== false) return await clean(cli, session, options)
      for (const notice of notices) cli.err.write(`${sanitiseLine(notice)}\n`)
      return await explore(cli, session, requestOf(options, prompt), options.json === true)
    } finally {
      await session.close()
    }
  } finally {
    await host.close()
    await close()
  }
}

async function sessionFor(cli: Cli, host: Host, named: string | undefined, mayBegin: boolean): Promise<WorkSession> {
  const id =
    named === undefined ? (await cli.store.list({ cwd: cli.cwd })).find(canContinue)?.id : await idNamed(cli, named)
  if (id !== undefined) return workIn(await host.open(id))
  if (!mayBegin)
    throw new RetconError({ code: "invalid", problem: "There is no retcon session here.", advice: "Name one with -s." })
  return host.create({ cwd: cli.cwd })
}

function requestOf(
  { n, model, check, setup, jobs, budget, time, mode }: ExploreOptions,
  prompt: string,
): ExploreRequest {
  return {
    prompt,
    ...(n !== undefined && { attempts: n }),
    ...(model !== undefined && { models: model }),
    ...(check !== undefined && { checks: check }),
    ...(setup !== undefined && { setup }),
    ...(jobs !== undefined && { jobs }),
    ...(budget !== undefined && { budget }),
    ...(time !== undefined && { time }),
    ...(mode !== undefined && { mode }),
  }
}

async function explore(cli: Cli, session: WorkSession, request: ExploreRequest, json: boolean): Promise<number> {
  let refused = 0
  const decide = cli.in.isTerminal && !json ? askAtTerminal(cli, session) : refuseAll(session, () => refused++)
  const said = new Map<string, string>()
  const unheard = session.on(({ event }) => {
    if (json) {
      if (event.type === "attempt" || event.type === "notice") cli.out.write(`${JSON.stringify(event)}\n`)
    } else if (event.type === "attempt") tell(cli, said, event.state)
    else if (event.type === "notice" && event.level === "warning") cli.err.write(`${sanitiseLine(event.text)}\n`)
    decide(event)
  })
  let stopped: number | undefined
  const forget = onStop((exit) => {
    stopped = exit
    void session.stop()
  })
  try {
    const answer = await session.explore(request)
    if (answer.outcome === "refused") throw new RetconError(answer.failure)
    if (json) cli.out.write(`${JSON.stringify({ type: "end", session: session.id, ...answer })}\n`)
    else {
      cli.out.write(`${attemptTable(answer.attempts).join("\n")}\n`)
      for (const sentence of exploredWords(answer)) cli.err.write(`${sentence}\n`)
      if (refused > 0)
        cli.err.write(
          `${count(refused, "call")} refused, because there is nobody to ask. Allow it with --allow TOOL or --mode.\n`,
        )
      cli.err.write(nextSteps(session, answer.attempts))
    }
    return stopped ?? (answer.attempts.some(({ ended }) => ended === "done") ? EXIT.done : EXIT.failed)
  } finally {
    unheard()
    forget()
  }
}

/** A line only if there is something new to say. */
function tell(cli: Cli, said: Map<string, string>, state: AttemptState): void {
  const line = clip(attemptLine(state), cli.err.width)
  if (said.get(state.label) === line) return
  said.set(state.label, line)
  cli.err.write(`${line}\n`)
}

function nextSteps(session: WorkSession, attempts: readonly AttemptState[]): string {
  const [one, other] = inOrder(attempts.filter(({ tip }) => tip !== null))
  if (one === undefined) return "No attempt has said anything: nothing was added to the session.\n"
  const which = `-s ${shortId(session.id)}`
  return [
    ...(other === undefined ? [] : [`Compare: retcon compare ${one.label} ${other.label} ${which}`]),
    `Take one: retcon pick ${one.label} ${which}    (undo takes it back; each is a branch: retcon log ${which})`,
    `Remove the copies: retcon explore --clean ${which}`,
    "",
  ].join("\n")
}

function list(cli: Cli, attempts: AttemptState[], { json = false }: ExploreOptions): number {
  if (json) printJson(cli.out, attempts)
  else if (attempts.length === 0) cli.out.write("There is no attempt whose copy is still there.\n")
  else {
    cli.out.write(`${attemptTable(attempts).join("\n")}\n`)
    for (const { label, folder } of attempts) if (folder !== null) cli.err.write(`${label}: ${sanitiseLine(folder)}\n`)
    tellInterrupted(cli, attempts)
  }
  return EXIT.done
}

function tellInterrupted(cli: Cli, attempts: readonly AttemptState[]): void {
  if (attempts.some(({ state, ended }) => state === "ended" && ended === undefined))
    cli.err.write("Some were interrupted. Take in what they did with: retcon explore --resume\n")
}

function resumed(cli: Cli, attempts: AttemptState[], { json = false }: ExploreOptions): number {
  if (json) printJson(cli.out, attempts)
  else if (attempts.length === 0) cli.out.write("No attempt was interrupted.\n")
  else {
    const names = attempts.map(({ label, tip }) => (tip === null ? `${label} (which had said nothing)` : label))
    cli.out.write(`Taken in as branches, as far as they had come: ${names.join(", ")}.\n`)
  }
  return EXIT.done
}

async function clean(
  cli: Cli,
  session: WorkSession,
  { clean, force = false, json = false }: ExploreOptions,
): Promise<number> {
  const answer = await session.cleanAttempts({ force, ...(typeof clean === "string" && { label: clean }) })
  if (json) printJson(cli.out, answer)
  else {
    const none = answer.kept.length === 0 ? "There is no copy to remove." : "No copy was removed."
    cli.out.write(
      answer.cleaned.length === 0
        ? `${none}\n`
        : `Removed the ${answer.cleaned.length === 1 ? "copy" : "copies"} of ${answer.cleaned.join(", ")}. What they did stays in the tree.\n`,
    )
    for (const { label, because } of answer.kept) cli.err.write(`${label} stays. ${sanitiseLine(because)}\n`)
    const stays = new Set(answer.kept.map(({ label }) => label))
    if (stays.size > 0)
      tellInterrupted(
        cli,
        (await session.attempts()).filter(({ label }) => stays.has(label)),
      )
  }
  return answer.kept.length === 0 ? EXIT.done : EXIT.failed
}
