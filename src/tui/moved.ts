// After a move of the person: what happened, where we stand now, and the prompt back in the editor.
import { NONE } from "../history/tree.ts"
import type { EntryId } from "../model/id.ts"
import { plainText } from "../model/part.ts"
import { count } from "../model/text/amounts.ts"
import type { HostSession, PromptInput } from "../protocol/host.ts"
import type { MoveAnswer } from "../protocol/shapes.ts"
import type { App } from "./app.ts"
import { finished } from "./conversation/block.ts"
import { wrapped } from "./conversation/lines.ts"
import { rule } from "./conversation/note-lines.ts"
import { keptWords } from "./overlay/move/file-words.ts"
import { refusal } from "./refusal.ts"

/** A draft of the person stays in the editor; when they chose a prompt to edit it, the draft makes room. */
export function tellMove(app: App, did: string, answer: MoveAnswer, draft: "stays" | "makes room" = "stays"): void {
  const { theme } = app
  if (answer.outcome === "refused") {
    const { message, hint } = refusal(answer.failure)
    app.say("error", message, hint)
    return
  }
  const onlyFiles = answer.kind === "restore"
  if (answer.outcome === "unchanged") {
    const there = onlyFiles ? "The files are as they were then." : "You are there already."
    app.say("info", `${there} Nothing was changed.`)
    return
  }
  const undo = answer.kind === "undo" ? "Take this back with /redo" : "Take this back with /undo"
  const left = answer.messages === 0 ? "" : `${count(answer.messages, "message")} left behind, nothing is lost. `
  app.view.add(
    finished("note", (width) => [
      rule(onlyFiles ? "Files restored" : did, width, theme.warning, theme),
      ...wrapped(left + undo, width).map(theme.quiet),
      ...fileLines(answer, width).map(theme.quiet),
    ]),
  )
  if (!onlyFiles) app.view.show("last-round")
  app.view.changed()
  if (answer.prompt !== null) putPrompt(app, promptInput(app.session, answer.prompt.id, answer.prompt.text), draft)
  else if (!onlyFiles && !app.editor.own) app.editor.clear()
}

function putPrompt(app: App, prompt: PromptInput, draft: "stays" | "makes room"): void {
  const { editor } = app
  if (editor.own && draft === "stays") {
    editor.remember(prompt.display ?? prompt.text)
    app.hint("Your draft stays; in an empty editor ↑ brings the prompt you went back from")
    return
  }
  if (editor.own) {
    editor.remember(editor.expanded)
    app.hint("This took the place of your draft; in an empty editor ↑ brings that back")
  }
  editor.put(prompt)
}

function fileLines(answer: Exclude<MoveAnswer, { outcome: "refused" }>, width: number): string[] {
  const names = answer.files.slice(0, 6).map(({ path, change }) => `${change} ${path}`)
  const more = answer.files.length > names.length ? ` and ${answer.files.length - names.length} more` : ""
  const list = names.join(", ") + more
  const kept = answer.kept.map((each) => `Kept ${each.path}: ${keptWords(each)}`)
  if (answer.files.length === 0) return kept.flatMap((text) => wrapped(text, width))
  const words =
    answer.filesMode === "restore"
      ? `${answer.kind === "restore" ? "Files" : "Files came along"}: ${list}`
      : `Files stayed as they are and differ from here: ${list}. ${howToBring(answer.notRestorable)}`
  return [words, ...kept].flatMap((text) => wrapped(text, width))
}

function howToBring(notRestorable: string | undefined): string {
  if (notRestorable === undefined) return "Bring them along with /restore"
  return `They cannot be restored: ${notRestorable.replace(/\.$/, "")}`
}

/** A prompt as it was typed: with its placeholders, and its images. */
export function promptInput(session: HostSession, id: EntryId, text: string): PromptInput {
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
