// Which model a session talks to: what the command line asked for, else what the path says, else what is configured.
import { RetconError } from "../model/failure.ts"
import { wordsFor } from "../model/failure-words.ts"
import type { Model } from "../provider/port.ts"
import type { Session } from "../session/session.ts"

export interface ModelChoice {
  readonly model: Model
  /** From here on the path says so: going back brings the earlier one. */
  set(name: string): Promise<void>
  /** After a move. A model that cannot be had any more is told, and the one we have stays. */
  follow(): Promise<void>
}

export interface ModelChoiceParts {
  session: Session
  model(name: string | undefined): Promise<Model>
  asked: string | undefined
  notice(text: string): void
}

export async function chooseOnPath(parts: ModelChoiceParts): Promise<ModelChoice> {
  const { session } = parts
  let { asked } = parts
  const wanted = () => asked ?? onPath(session)
  let name = wanted()
  let model = await parts.model(name)
  return {
    get model() {
      return model
    },
    async set(next) {
      model = await parts.model(next)
      asked = undefined
      name = model.id
      await session.append({ type: "state", key: "model", value: model.id }, { durable: true })
    },
    async follow() {
      if (wanted() === name) return
      name = wanted()
      try {
        model = await parts.model(name)
      } catch (error) {
        if (!(error instanceof RetconError)) throw error
        parts.notice(`${wordsFor(error.failure).message} Going on with ${model.id}.`)
      }
    },
  }
}

function onPath(session: Session): string | undefined {
  const model = session.state("model")
  return typeof model === "string" ? model : undefined
}
