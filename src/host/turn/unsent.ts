// What a person typed and the agent never received. It is stored when the session is closed and put back into the editor when it
// is opened again, so that nothing typed is lost.
import { isObject, type JsonObject } from "../../model/json.ts"
import type { PromptInput, Unsent } from "../../protocol/host.ts"
import type { Session } from "../../session/session.ts"

/** A setting, not part of the path: a draft belongs to the person, and no move brings an older one back. */
const DRAFT_KEY = "draft"

export interface Draft {
  take(): PromptInput | undefined
  /** Call when something was sent: a draft that was taken is done with. */
  sent(): void
  /** Contract: never throws; returns what could not be stored. A draft that nobody took stays, before the rest. */
  keep(typed: readonly PromptInput[]): Promise<Unsent | undefined>
}

export function makeDraft(session: Session): Draft {
  let taken = false
  return {
    take() {
      taken = true
      return recorded(session)
    },
    sent() {
      if (taken && recorded(session) !== undefined) session.configure(DRAFT_KEY, null).catch(() => undefined)
    },
    async keep(typed) {
      const before = recorded(session)
      const own = typed.filter(({ text }) => text.trim() !== "")
      const draft = joined(taken || before === undefined ? own : [before, ...own])
      const unsent = own.length === 0 ? undefined : draft
      try {
        if (draft?.text !== before?.text) {
          await session.configure(DRAFT_KEY, draft === undefined ? null : (draft as unknown as JsonObject))
        }
      } catch (error) {
        return unsent && { draft: unsent, problem: error instanceof Error ? error.message : String(error) }
      }
      const images = own.some(({ media = [] }) => media.length > 0)
      return unsent && { draft: unsent, ...(images ? { without: "images" as const } : {}) }
    },
  }
}

function recorded(session: Session): PromptInput | undefined {
  const draft = session.config().get(DRAFT_KEY)
  if (!isObject(draft) || typeof draft.text !== "string" || draft.text === "") return undefined
  return { text: draft.text, ...(typeof draft.display === "string" ? { display: draft.display } : {}) }
}

/** Each on separate lines. Images are not stored, only their placeholders. */
function joined(inputs: readonly PromptInput[]): PromptInput | undefined {
  if (inputs.length === 0) return undefined
  const text = inputs.map((input) => sign(input) + input.text).join("\n")
  const display = inputs.map((input) => sign(input) + (input.display ?? input.text)).join("\n")
  return { text, ...(display === text ? {} : { display }) }
}

function sign({ shell }: PromptInput): string {
  return shell === true ? "!" : ""
}
