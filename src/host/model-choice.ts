// Which model a session talks to, and how much it thinks: what the command line asked for, else what the path says, else
// what is configured.
import { RetconError } from "../model/failure/failure.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { parseThinking, THINKING_KEY, type ThinkingLevel } from "../model/thinking.ts"
import type { Model } from "../provider/port/port.ts"
import type { Session } from "../session/session.ts"

export interface ModelChoice {
  /** Its requests say which session they are of, and how much to think. */
  readonly model: Model
  /** Undefined: as configured, or as the model does by itself. */
  readonly thinking: ThinkingLevel | undefined
  /** From here on the path says so: going back brings the earlier one. */
  set(name: string): Promise<void>
  /** Likewise. */
  think(level: ThinkingLevel): Promise<void>
  /** After a move. A model that cannot be had any more is told, and the one we have stays. */
  follow(): Promise<void>
}

export interface ModelChoiceParts {
  session: Session
  model(name: string | undefined): Promise<Model>
  asked: string | undefined
  askedThinking: ThinkingLevel | undefined
  notice(text: string): void
}

export async function chooseOnPath(parts: ModelChoiceParts): Promise<ModelChoice> {
  const { session } = parts
  let { asked, askedThinking } = parts
  const wanted = () => asked ?? onPath(session)
  const thinking = () => askedThinking ?? parseThinking(session.state(THINKING_KEY))
  const asChosen = (chosen: Model): Model => {
    const step: Model["step"] = (request) => {
      const level = thinking()
      return chosen.step({ ...request, session: session.id, ...(level === undefined ? {} : { thinking: level }) })
    }
    return Object.create(chosen, { step: { enumerable: true, value: step } }) as Model
  }
  let name = wanted()
  let model = asChosen(await parts.model(name))
  return {
    get model() {
      return model
    },
    get thinking() {
      return thinking()
    },
    async set(next) {
      model = asChosen(await parts.model(next))
      asked = undefined
      name = model.id
      await session.append({ type: "state", key: "model", value: model.id }, { durable: true })
    },
    async think(level) {
      askedThinking = undefined
      await session.append({ type: "state", key: THINKING_KEY, value: level }, { durable: true })
    },
    async follow() {
      if (wanted() === name) return
      name = wanted()
      try {
        model = asChosen(await parts.model(name))
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
