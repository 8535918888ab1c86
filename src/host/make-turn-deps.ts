// What a turn is run with: the person's own, and those of sub-agents.
import type { Jobs } from "../agent/process/jobs.ts"
import type { CommandSandbox } from "../agent/sandbox/port.ts"
import { returnsAt } from "../history/plan/plan-backtrack.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { Background } from "../runner/background.ts"
import { makeCoverage, type Owner } from "../runner/coverage.ts"
import type { LearnedWindows } from "../runner/learned-window.ts"
import type { Meter } from "../runner/meter.ts"
import { makeSteering, type Steering } from "../runner/steering.ts"
import { DEEPEST_TASK, makeRunTask } from "../runner/task.ts"
import type { TurnDeps } from "../runner/turn-deps.ts"
import { createSession, openSession, type Session } from "../session/session.ts"
import type { Approvals } from "./approvals.ts"
import type { HostDeps } from "./host-deps.ts"
import type { ModelChoice } from "./model-choice.ts"
import { warning } from "./notice.ts"

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
  tell: (event: HostEvent) => void,
  owner?: Owner,
) => Promise<TurnDeps>

/** `own`: the session of the turn; a sub-agent's is deeper, has an owner and no Backtrack. */
export function makeTurnDeps(sources: TurnSources): MakeTurnDeps {
  const { deps, session, cwd, jobs, background, sandbox, choice, windows, approvals, steering, meter } = sources
  /** Problems of the coverage that were reported: each once. */
  const told = new Set<string>()

  const turnDeps: MakeTurnDeps = async (own, depth, tell, owner) => {
    if (depth === 0) {
      await choice.follow()
      await choice.ready()
    }
    const backtrack = deps.backtrack && depth === 0
    const runTask = depth < DEEPEST_TASK ? await taskRunner(own, depth + 1, tell, owner) : undefined
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
      consent: approvals,
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
      systemPrompt: () => deps.systemPrompt(cwd, { tools, agent: depth === 0 ? "main" : "sub-agent" }),
      maxSteps: deps.maxSteps,
    }
  }

  async function taskRunner(own: Session, depth: number, tell: (event: HostEvent) => void, owner: Owner | undefined) {
    return makeRunTask({
      parent: own,
      depth,
      ...(owner === undefined ? {} : { owner }),
      create: (from) =>
        createSession(deps.store, { cwd, made: deps.made, from: { ...from, as: "task" } }, deps.session),
      open: (id) => openSession(deps.store, id, deps.session),
      turnDeps: (child, from, childDepth, tellChild) => turnDeps(child, childDepth, tellChild, from),
      emit: tell,
    })
  }

  return turnDeps
}
