// The facts in the status line, from the tree and what runs.
import { liveTips } from "../../history/tree/live-tips.ts"
import { chain, isOnPath } from "../../history/tree/tree.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { KIND } from "../../model/record/record.ts"
import type { SandboxState } from "../../model/sandbox-state.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Status, Totals } from "../../protocol/shapes.ts"
import type { Model } from "../../provider/port/port.ts"
import { contextSize } from "../../runner/window/context-size.ts"
import { compactsAt, type WindowLimits } from "../../runner/window/threshold.ts"
import type { Session } from "../../session/session.ts"

export interface StatusDeps {
  session: Session
  model: Model
  thinking: ThinkingLevel | undefined
  mode: PermissionMode
  running: boolean
  waiting: boolean
  totals: Totals
  limits: WindowLimits
  tokens: (text: string) => number
  sandbox: SandboxState | undefined
}

export function statusOf(deps: StatusDeps): Status {
  const { session, model, limits } = deps
  const { history, headRow } = session
  const size = contextSize(history, headRow, (text) => deps.tokens(text))
  const tips = liveTips(history, headRow)
  return {
    model: model.id,
    thinking: deps.thinking,
    mode: deps.mode,
    running: deps.running,
    waiting: deps.waiting,
    round: history.round(headRow),
    rounds: tips.reduce(
      (most, tip) => (isOnPath(history, headRow, tip) ? Math.max(most, history.round(tip)) : most),
      0,
    ),
    branches: tips.length,
    context: { used: size.used + size.pending, window: model.window, compactsAt: compactsAt(model.window, limits) },
    totals: deps.totals,
    repository: branchOf(session),
    filesChanged: session.files.lastRound().length,
    filesUnavailable: session.files.unavailable,
    ...(deps.sandbox === undefined ? {} : { sandbox: deps.sandbox }),
  }
}

/** The repository's branch in the newest snapshot. */
function branchOf(session: Session): string | undefined {
  for (const row of chain(session.history, KIND.snapshot)) {
    const record = session.history.record(row)
    if (record?.type === "snapshot") return record.repositories?.[0]?.branch
  }
  return undefined
}
