// Which model a session uses, and how much it thinks: from the command line, else from the path, else as configured.
import { modelOnPath } from "../../history/context/model-on-path.ts"
import { type Advice, type Failure, joinAdvice } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { MODEL_KEY, THINKING_KEY } from "../../model/record/state-key.ts"
import { parseThinking, type ThinkingLevel } from "../../model/thinking.ts"
import type { Model } from "../../provider/port/port.ts"
import type { Session } from "../../session/session.ts"

export interface ModelChoice {
  /** Its requests carry the session's id and the thinking level. */
  readonly model: Model
  /** Undefined: as configured, or the model's own default. */
  readonly thinking: ThinkingLevel | undefined
  /** Recorded on the path, so going back restores the earlier model. */
  set(name: string): Promise<void>
  /** The same for the thinking level. Undefined: as configured, or the model's own default. */
  think(level: ThinkingLevel | undefined): Promise<void>
  /** Call after a move. If the path's model is no longer available, sends a notice and keeps the current one. */
  follow(): Promise<void>
  /** Call before a turn. Throws RetconError while the path's model cannot be used: no other may replace it unasked. */
  ready(): Promise<void>
}

export interface ModelChoiceDeps {
  session: Session
  model(name: string | undefined): Promise<Model>
  asked: string | undefined
  askedThinking: ThinkingLevel | undefined
  notice(text: string, advice: Advice): void
}

export async function chooseOnPath(deps: ModelChoiceDeps): Promise<ModelChoice> {
  const { session } = deps
  let { asked, askedThinking } = deps
  const wanted = () => asked ?? modelOnPath(session.history, session.headRow)
  const thinking = () => askedThinking ?? parseThinking(session.state(THINKING_KEY))
  const asChosen = (chosen: Model): Model => {
    const step: Model["step"] = (request) => {
      const level = thinking()
      return chosen.step({ ...request, session: session.id, ...(level === undefined ? {} : { thinking: level }) })
    }
    return Object.create(chosen, { step: { enumerable: true, value: step } }) as Model
  }
  let name = wanted()
  /** Why the path's model cannot be used. */
  let missing: Failure | undefined
  let model = asChosen(await first())

  /** The path's model is not replaced by one found today, which may cost money or answer differently. */
  async function first(): Promise<Model> {
    try {
      const chosen = await deps.model(name)
      if (asked === undefined && name?.startsWith("practice")) await tellOther(chosen)
      return chosen
    } catch (error) {
      if (!(error instanceof RetconError) || name === undefined || asked !== undefined) throw error
      missing = lastRunWith(name, error.failure)
      const { message, advice } = wordsFor(missing)
      deps.notice(message, advice)
      return { id: name, window: undefined, maxOutput: undefined, step: () => unusable(message) }
    }
  }

  /** Nobody chose the practice model for its own sake. If a real model is available now, the person wants to know. */
  async function tellOther(chosen: Model): Promise<void> {
    const other = await deps.model(undefined).catch(() => chosen)
    if (other.id === chosen.id) return
    const step = { do: "model", name: other.id } as const
    deps.notice(`This session continues with ${chosen.id}, the model it last used.`, [`For ${other.id}: `, step])
  }

  return {
    get model() {
      return model
    },
    get thinking() {
      return thinking()
    },
    async set(next) {
      model = asChosen(await deps.model(next))
      missing = undefined
      asked = undefined
      name = model.id
      await session.append({ type: "state", key: MODEL_KEY, value: model.id }, { durable: true })
    },
    async think(level) {
      askedThinking = undefined
      await session.append({ type: "state", key: THINKING_KEY, value: level ?? null }, { durable: true })
    },
    async follow() {
      const next = wanted()
      const stays = next === name || (next === model.id && missing === undefined)
      name = next
      if (stays) return
      try {
        model = asChosen(await deps.model(name))
        missing = undefined
      } catch (error) {
        if (!(error instanceof RetconError)) throw error
        const { message, advice } = wordsFor(error.failure)
        if (missing === undefined) deps.notice(`${message} Continuing with ${model.id}.`, advice)
      }
    },
    async ready() {
      const refused = missing
      if (refused === undefined) return
      try {
        model = asChosen(await deps.model(name))
        missing = undefined
      } catch (error) {
        throw error instanceof RetconError ? new RetconError(refused) : error
      }
    },
  }
}

function lastRunWith(name: string, failure: Failure): Failure {
  const { message, advice } = wordsFor(failure)
  return {
    code: "invalid",
    problem: `This session last used ${name}, which is not available now: ${message}`,
    advice: joinAdvice(advice, ["Choose another model with ", { do: "model" }, "."]),
  }
}

async function* unusable(message: string): ReturnType<Model["step"]> {
  yield { type: "failed", problem: { kind: "auth", message } }
}
