// After the person moved: shows what happened and where they are now, and puts the prompt back into the editor.
import { NONE } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { asFarAsKnown } from "../../model/move/gap-words.ts"
import { type MoveResult, movesOnlyFiles } from "../../model/move/moved.ts"
import { plainText } from "../../model/record/record.ts"
import { BACK_WHERE_ASKED, count } from "../../model/text/amounts.ts"
import type { PromptInput, SessionContents } from "../../protocol/host.ts"
import { finished, wrapped } from "../conversation/block.ts"
import { rule } from "../conversation/note-lines.ts"
import type { ReturnedInput } from "../editor/returned-input.ts"
import { movedFiles, unchangedFiles } from "../words/moved-files-words.ts"
import { refusal } from "../words/refusal.ts"
import type { Notices } from "./notices.ts"
import type { OnScreen, ShownSession } from "./shown-session.ts"

/** What a move changes on the screen. */
export interface MoveTeller
  extends Pick<OnScreen, "theme" | "editor">,
    Pick<Notices, "hint" | "say">,
    Pick<ShownSession, "view" | "session"> {
  returned: ReturnedInput
}

/** The person's draft stays in the editor, unless they chose a prompt to edit. No answer: the person cancelled. */
export function tellMove(
  app: MoveTeller,
  did: string,
  answer: MoveResult | undefined,
  draft: "stays" | "makes room" = "stays",
): void {
  const { theme } = app
  if (answer === undefined) {
    app.hint("Nothing was changed")
    return
  }
  if (answer.outcome === "refused") {
    const { message, hint } = refusal(answer.failure)
    app.say("error", message, hint)
    return
  }
  const onlyFiles = movesOnlyFiles(answer.kind)
  if (answer.outcome === "unchanged") {
    const { text, kept } = onlyFiles
      ? unchangedFiles(answer)
      : { text: "You are already there. Nothing was changed.", kept: [] }
    app.say("info", text, kept.join("\n"))
    return
  }
  const undo = answer.kind === "undo" ? "Take this back with /redo" : "Take this back with /undo"
  const left = answer.messages === 0 ? "" : `${count(answer.messages, "message")} left behind, nothing is lost. `
  app.view.add(
    finished("note", (width) => [
      rule(onlyFiles ? asFarAsKnown(did, answer) : did, width, theme.warning, theme),
      ...wrapped(left + undo, width).map(theme.quiet),
      ...(answer.prompt?.passed === true ? wrapped(BACK_WHERE_ASKED, width).map(theme.quiet) : []),
      ...movedFiles(answer, " Restore them with /restore").flatMap((text) => wrapped(text, width).map(theme.quiet)),
    ]),
  )
  if (!onlyFiles) app.view.show("last-round")
  app.view.changed()
  if (answer.prompt !== null) putPrompt(app, promptInput(app.session, answer.prompt.id, answer.prompt.text), draft)
  else if (!onlyFiles) {
    app.returned.part()
    if (!app.editor.own) app.editor.clear()
  }
}

function putPrompt(app: MoveTeller, prompt: PromptInput, draft: "stays" | "makes room"): void {
  const { editor } = app
  if (app.returned.join(prompt)) return
  if (editor.own && draft === "stays") {
    editor.remember(prompt.text)
    app.hint("Your draft stays. In an empty editor, ↑ brings back the prompt you left")
    return
  }
  if (editor.own) {
    editor.remember(editor.expanded)
    app.hint("This replaced your draft. In an empty editor, ↑ brings it back")
  }
  editor.put(prompt)
}

/** A prompt as it was typed: with its placeholders and images. */
export function promptInput(session: SessionContents, id: EntryId, text: string): PromptInput {
  const row = session.history.rowOf(id)
  const record = row === NONE ? undefined : session.history.record(row)
  if (record?.type !== "message") return { text }
  const media = record.content.filter(({ type }) => type === "image" || type === "file")
  const whole = record.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).at(0)
  return {
    text: whole ?? plainText(record.content),
    ...(record.display === undefined ? {} : { display: record.display }),
    ...(media.length === 0 ? {} : { media }),
  }
}
