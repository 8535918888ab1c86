// What a person typed and the agent never received. It is stored when the session is closed and put back into the editor when it
// is opened again, so that nothing typed is lost.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json } from "../../model/json.ts"
import { type Part, parsePart, printPart } from "../../model/record/record.ts"
import type { Draft, PromptInput, Unsent } from "../../protocol/host.ts"
import { joinInputs } from "../../protocol/join-inputs.ts"
import type { LocalState } from "../../store/local.ts"

export interface KeptDraft {
  take(): Draft | undefined
  read(): Draft | undefined
  /** In the place of what was kept. Without `media`, the images and files that were kept stay. Contract: throws RetconError. */
  put(text: string, media?: readonly Part[]): void
  /** Call when something was sent: a draft that was taken is done with. */
  sent(): void
  /** Contract: never throws; returns what could not be stored. A draft that nobody took stays, before the rest. */
  keep(typed: readonly Draft[]): Unsent | undefined
}

/** Not part of the log: a draft belongs to the person, no move brings an older one back, and nobody else gets it. */
export function keptDraft(local: LocalState): KeptDraft {
  let taken = false
  const stored = () => parseDraft(local.read("draft"))
  return {
    read: stored,
    put(text, media = stored()?.media ?? []) {
      const draft = { text, ...(media.length > 0 && { media: [...media] }) }
      local.write("draft", isEmpty(draft) ? undefined : printDraft(draft))
    },
    take() {
      taken = true
      return stored()
    },
    sent() {
      if (!taken) return
      try {
        local.write("draft", undefined)
      } catch (error) {
        // Then it is in the editor once more, which is better than not to send.
        if (!(error instanceof RetconError)) throw error
      }
    },
    keep(typed) {
      const before = stored()
      const own = typed.filter((each) => !isEmpty(each))
      const all = taken || before === undefined ? own : [before, ...own]
      const [only] = all
      const draft = all.length > 1 ? joinInputs(all.map(withSign)) : only && withSign(only)
      const unsent = own.length === 0 ? undefined : draft
      try {
        if (draft !== undefined) local.write("draft", printDraft(draft))
        else if (before !== undefined) local.write("draft", undefined)
      } catch (error) {
        return unsent && { draft: unsent, problem: error instanceof Error ? error.message : String(error) }
      }
      return unsent && { draft: unsent }
    },
  }
}

export function parseDraft(value: Json | undefined): Draft | undefined {
  if (!isObject(value) || typeof value.text !== "string") return undefined
  const draft: Draft = {
    text: value.text,
    ...(typeof value.display === "string" && { display: value.display }),
    ...(Array.isArray(value.media) && { media: value.media.map(parsePart) }),
    ...(value.inLog === true && { inLog: true }),
  }
  return draft.text === "" && isEmpty(draft) ? undefined : draft
}

function isEmpty({ text, media = [] }: PromptInput): boolean {
  return text.trim() === "" && media.length === 0
}

function printDraft({ text, display, media, inLog }: Draft): Json {
  return {
    text,
    ...(display !== undefined && { display }),
    ...(media !== undefined && { media: media.map(printPart) }),
    ...(inLog === true && { inLog }),
  }
}

/** A command of the person's own is typed with a sign. */
function withSign({ shell, ...input }: PromptInput): PromptInput {
  if (shell !== true) return input
  const { text, display } = input
  return { ...input, text: `!${text}`, ...(display !== undefined && { display: `!${display}` }) }
}
