// Makes the dependencies of a turn, for the person's own turns and for those of sub-agents.
import type { Consent } from "../../agent/permission/consent.ts"
import type { Jobs } from "../../agent/process/jobs.ts"
import type { CommandSandbox } from "../../agent/sandbox/port.ts"
import { returnsAt } from "../../history/plan/plan-backtrack.ts"
import type { Background } from "../../runner/port/background.ts"
import { makeCoverage, type Owner } from "../../runner/port/coverage.ts"
import { makeSteering, type Steering } from "../../runner/port/steering.ts"
import type { TurnDeps } from "../../runner/port/turn-deps.ts"
import { DEEPEST_TASK, makeRunTask } from "../../runner/task.ts"
import type { LearnedWindows } from "../../runner/window/learned-window.ts"
import type { Meter } from "../../runner/window/meter.ts"
import { createSession, openSession, type Session } from "../../session/session.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import type { HostDeps } from "../port/host-deps.ts"
import { warning } from "../port/notice.ts"
import type { Approvals } from "./approvals.ts"
import type { ModelChoice } from "./model-choice.ts"

/** What the turns of one session share. */
export interface TurnSources {
  deps: Omit<HostDeps, "openWorkspace">
  session: Session
  cwd: string
  jobs: Jobs
  background: Background
  sandbox: CommandSandbox | undefined
  choice: ModelChoice
  windows: LearnedWindows
  approvals: Approvals
  steering: Steering
  meter: Meter
}

export type MakeTurnDeps = (
  own: Session,
  depth: number,
  tell: EmitEvent,
  of?: { owner: Owner; consent: Consent },
) => Promise<TurnDeps>

/** `own`: the turn's session. A sub-agent's is deeper, has an owner, asks as its parent does, and has no Backtrack. */
export function makeTurnDeps(sources: TurnSources): MakeTurnDeps {
  const { deps, session, cwd, jobs, background, sandbox, choice, windows, approvals, steering, meter } = sources
  /** As the conversation names it: a copy has the name of the folder that it was copied from. */
  const { origin: named = cwd } = deps.workRoot(cwd, session.id)
  /** Problems with snapshots that have already been reported, so that each is reported once. */
  const told = new Set<string>()

  const turnDeps: MakeTurnDeps = async (own, depth, tell, of) => {
    const { owner, consent = approvals.consent(tell) } = of ?? {}
    if (depth === 0) {
      await choice.follow()
      await choice.ready()
    }
    const backtrack = deps.backtrack && depth === 0
    const runTask = depth < DEEPEST_TASK ? await taskRunner(own, depth + 1, tell, consent, owner) : undefined
    const tools = await deps.tools(
      {
        jobs,
        ...(sandbox === undefined ? {} : { sandbox }),
        ...(runTask === undefined ? {} : { runTask }),
        ...(backtrack ? { checkpoints: () => returnsAt(own.history, own.headRow) } : {}),
      },
      cwd,
    )
    return {
      session: own,
      model: windows.known(choice.model),
      windows,
      tools,
      root: deps.workRoot(cwd, own.id),
      env: deps.env,
      secrets: deps.secrets,
      consent,
      jobs,
      coverage: makeCoverage({
        files: session.files,
        root: cwd,
        jobs: () => jobs.list(),
        background,
        ...(owner === undefined ? {} : { owner }),
        problem: (text, advice) => tell(warning(text, advice)),
        notCovered: (files) => tell({ type: "not-covered", files }),
        told,
      }),
      steering: depth === 0 ? steering : makeSteering(),
      meter,
      emit: tell,
      now: () => deps.now(),
      tokens: (text: string) => deps.tokens(text),
      learn: (estimated: number, reported: number) => deps.learn?.(estimated, reported),
      limits: deps.limits,
      backtrack,
      systemPrompt: () => deps.systemPrompt(named, { tools, agent: depth === 0 ? "main" : "sub-agent" }),
      maxSteps: deps.maxSteps,
    }
  }

  async function taskRunner(own: Session, depth: number, tell: EmitEvent, consent: Consent, owner: Owner | undefined) {
    return makeRunTask({
      parent: own,
      depth,
      ...(owner === undefined ? {} : { owner }),
      create: (from) =>
        createSession(deps.store, { cwd: named, made: deps.made, from: { ...from, as: "task" } }, deps.session),
      open: (id) => openSession(deps.store, id, deps.session),
      turnDeps: (child, from, childDepth, tellChild) =>
        turnDeps(child, childDepth, tellChild, { owner: from, consent }),
      emit: tell,
    })
  }

  return turnDeps
}
