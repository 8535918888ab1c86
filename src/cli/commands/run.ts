// retcon run PROMPT: one prompt without a screen. The answer goes to stdout, progress to stderr.
import { makeHost } from "../../app/host.ts"
import { workingSession } from "../../app/library/named-session.ts"
import { type AgentOptions, hostDeps } from "../../app/setup/make-host-deps.ts"
import { entryId } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { adviceList } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type SessionId, shortId } from "../../model/id.ts"
import { costWords } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { canContinue, isOffered } from "../../protocol/can-continue.ts"
import type { Host, SendAnswer, SessionContents, WorkSession } from "../../protocol/host.ts"
import { openToWork, workIn } from "../../protocol/open-to-work.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import { newestFirst } from "../../store/log-summary.ts"
import { askAtTerminal, refuseAll } from "../agent/approve.ts"
import { printEvents } from "../agent/run-events.ts"
import { checkAllowed } from "../config/allow-option.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { onStop } from "../process/interrupt.ts"
import { movedHere } from "../sessions/moved-here.ts"

export interface RunOptions extends AgentOptions {
  prompt: string[]
  continue?: boolean
  resume?: string
  /** Whose program begins the session. */
  agent?: string
  json?: boolean
}

const LARGEST_INPUT = 10 * 1024 * 1024

export async function run(cli: Cli, options: RunOptions): Promise<number> {
  checkAllowed(options.allow)
  const text = await promptOf(cli, options)
  const { deps, notices, close } = await hostDeps(cli, { ...options, watched: cli.out.isTerminal })
  const resumed = options.resume === undefined ? undefined : await workingSession(cli, options.resume, deps.store)
  const host = makeHost({ ...deps, ...(resumed && { store: resumed.store }) }, options.model)
  const session = await openFor(cli, host, resumed?.id, options, text)
  const print = printEvents(cli, options.json === true)
  for (const notice of notices) print({ type: "notice", level: "info", text: notice })
  let refused = 0
  const refuse = refuseAll(session, () => refused++)
  const decide = cli.in.isTerminal && options.json !== true ? askAtTerminal(cli, session) : refuse
  const unheard = session.on(({ event }) => {
    print(event)
    decide(event)
  })
  let stopped: number | undefined
  const forget = onStop((exit) => {
    stopped = exit
    void session.stop()
  })
  try {
    const answer = await session.send({ text })
    const { totals } = session.status()
    const head = entryId(session.history, session.head)
    const words = answer.outcome === "failed" ? failureWords(answer) : {}
    // Always the last line.
    unheard()
    print({ type: "end", session: session.id, head, outcome: answer.outcome, ...words, totals })
    if (options.json !== true) cli.err.write(closing(session, answer, refused))
    if (answer.outcome !== "done") return stopped ?? EXIT.failed
    return refused === 0 ? EXIT.done : EXIT.failed
  } finally {
    await session.close()
    await close()
    forget()
  }
}

/** What is on stdin follows what was typed. */
async function promptOf(cli: Cli, { prompt }: RunOptions): Promise<string> {
  const typed = prompt.join(" ").trim()
  const piped = cli.in.isPiped ? await cli.in.readAll(LARGEST_INPUT) : new Uint8Array()
  if (piped === undefined) {
    throw new UsageError("The input is over 10 MB.", "Write it to a file, and name the file in the prompt.")
  }
  const input = Buffer.from(piped).toString("utf8").trim()
  const text = [typed, input].filter((part) => part !== "").join("\n\n")
  if (text === "") throw new UsageError("There is no prompt.", 'Add one: retcon run "create hello.txt with hello"')
  return text
}

async function openFor(
  cli: Cli,
  host: Host,
  resumed: SessionId | undefined,
  options: RunOptions,
  text: string,
): Promise<WorkSession> {
  if (resumed !== undefined) {
    const { session, copied } = await openToWork(host, resumed, cli.cwd)
    if (copied !== undefined) cli.err.write(`${copied}\n`)
    return session
  }
  if (options.continue === true) {
    const latest = (await cli.store.list({ cwd: cli.cwd })).find(canContinue)
    if (latest !== undefined) return workIn(await host.open(latest.id))
    await refuseOthers(cli)
    cli.err.write("There is no session here to continue: this is a new one.\n")
    for (const line of await movedHere(cli)) cli.err.write(`${line}\n`)
  }
  const { agent } = options
  return host.create({ cwd: cli.cwd, ...(agent !== undefined && { agent, prompt: { text } }) })
}

/** If only other agents have sessions here, one of those may be meant, and there is nobody to ask. */
async function refuseOthers(cli: Cli): Promise<void> {
  const found = (await cli.store.foreign.list({ cwd: cli.cwd })).filter(isOffered).sort(newestFirst)
  if (found.length === 0) return
  const named = found.slice(0, MOST_NAMED).map(({ id, agent = "", title }) => {
    return `of "${clip(sanitiseLine(title), 40)}" (${agentTitle(agent)}) with: retcon run -r ${shortId(id)}`
  })
  throw new RetconError({
    code: "invalid",
    problem: "There is no retcon session here to continue, only other agents' sessions. Nothing was sent.",
    advice: `Continue in a copy ${named.join("; ")}. For a new session, leave out --continue.`,
  })
}

const MOST_NAMED = 3

function failureWords({ message, advice }: Extract<SendAnswer, { outcome: "failed" }>) {
  return { message, hint: shellAdvice(advice), advice: adviceList(advice) }
}

function closing(session: SessionContents, answer: SendAnswer, refused: number): string {
  const lines = answer.outcome === "failed" ? [`retcon: ${answer.message}`, `  ${shellAdvice(answer.advice)}`] : []
  if (refused > 0) {
    const calls = refused === 1 ? "1 call was" : `${refused} calls were`
    lines.push(`retcon: ${calls} refused, because there is nobody to ask.`, "  Allow it with --allow TOOL or --mode.")
  }
  const { totals } = session.status()
  const sent = totals.input + totals.cacheRead + totals.cacheWrite
  const cached = totals.cacheRead > 0 ? `, ${totals.cacheRead} of them cached` : ""
  const saved = totals.saved > 0 ? `; backtracking saved about ${totals.saved}` : ""
  const cost = totals.cost === undefined || totals.cost === 0 ? "" : `, ${costWords(totals.cost, totals.unpriced)}`
  lines.push(`session ${shortId(session.id)} · ${sent} tokens sent${cached}, ${totals.output} received${cost}${saved}`)
  return `${lines.join("\n")}\n`
}
