// retcon reads what a program writes as the program itself reads it.
import { difference, type Said } from "../said.ts"
import type { Stage } from "../stage.ts"
import type { Case } from "./case.ts"
import { converse, PROMPTS } from "./conversation.ts"

export const NEXT = "What comes next?"

/**
 * Resumes the session with a prompt: what is sent must be what retcon shows, plus the prompt. `hooked`: in what hooks say;
 * what they say of the resume and of that prompt is in no session yet.
 */
export async function resumedAsShown(stage: Stage, next = NEXT, hooked = ""): Promise<string | undefined> {
  const shown = await stage.context()
  const sent = await stage.ask(next)
  const { joins = "\0" } = stage.program
  const isHooked = (text: string) => hooked !== "" && text.includes(hooked)
  let known = stage
    .comparable(shown)
    .flatMap(({ text }) => text.split(joins))
    .filter(isHooked).length
  const counted = stage.comparable(sent).flatMap((each) => {
    const parts = each.text.split(joins).filter((part) => !isHooked(part) || known-- > 0)
    return parts.length === 0 ? [] : [{ ...each, text: parts.join(joins) }]
  })
  return stage.difference(counted, [...shown, { by: "user", text: next }])
}

export const reads: Case = {
  name: "read",
  means:
    "`retcon show --context` has every text, call and result that the program sends when it resumes its own session",
  async differs(stage) {
    await converse(stage)
    return resumedAsShown(stage)
  },
}

export const prompts: Case = {
  name: "prompts",
  means: "`retcon prompts` lists exactly the typed prompts",
  async differs(stage) {
    await converse(stage)
    const listed = await stage.prompts()
    return difference(prompted(listed), prompted(PROMPTS))
  },
}

export const compaction: Case = {
  name: "compaction",
  means: "the same after the program has summarised its session and continued",
  cannot: ({ compacts }) => (typeof compacts === "string" ? compacts : undefined),
  async differs(stage) {
    await converse(stage)
    await stage.compact()
    await stage.ask("Go on after the summary.")
    if ((await stage.context()).some(({ by }) => by === "call"))
      return "it did not summarise: the calls are still there"
    return resumedAsShown(stage)
  },
}

export const forgotten: Case = {
  name: "forgotten prompts",
  means:
    "prompts that the program leaves out when it resumes are listed as prompts and shown as not sent; moves over them lead where they must",
  cannot: ({ forgets }) => (forgets === undefined ? "it leaves out no prompt" : undefined),
  async differs(stage) {
    const typed = ["Hello.", ...(stage.program.forgets ?? []), "Thank you."]
    const asked = async () => {
      stage.clear()
      for (const each of typed) await stage.ask(each)
    }
    await asked()
    const listed = difference(prompted(await stage.prompts()), prompted(typed))
    const differs = listed ?? (await resumedAsShown(stage))
    if (differs !== undefined) return differs
    await asked()
    await stage.move("goto", "@2")
    return difference(prompted(await stage.prompts()), prompted(typed.slice(0, 1))) ?? resumedAsShown(stage)
  },
}

export const undone: Case = {
  name: "undone",
  means:
    "after the program's own undo, retcon continues before the prompt that was taken back, as the program does, also when it looks again",
  cannot: ({ undoes }) => (undoes === undefined ? "its undo is typed, or there is none" : undefined),
  async differs(stage) {
    await converse(stage)
    await stage.program.undoes?.(stage.place, (await stage.session())?.resume.at(-1) ?? "")
    for (const look of ["first", "second"]) {
      const differs = difference(prompted(await stage.prompts()), prompted(PROMPTS.slice(0, -1)))
      if (differs !== undefined) return `${look} look: ${differs}`
    }
    return resumedAsShown(stage)
  },
}

/** Prompts in the form that is compared. */
export function prompted(texts: readonly string[]): Said[] {
  return texts.map((text) => ({ by: "user", text }))
}
