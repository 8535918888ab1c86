// Where the person types: several lines, history, completion, placeholders for pastes and images.
import type { Part } from "../../model/record/record.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { PromptInput } from "../../protocol/host.ts"
import { type Image, imageMark, imagesIn, imagesOf } from "../../protocol/join-inputs.ts"
import { keyPress } from "../terminal/keys.ts"
import { makeEditor } from "../terminal/pi.ts"
import { ESC } from "../terminal/port.ts"
import { styledWidth } from "../terminal/styled-width.ts"
import type { Theme } from "../terminal/theme.ts"
import { type CompletionDeps, completion } from "./editor-completion.ts"

export interface EditorDeps extends CompletionDeps {
  theme: Theme
  rows(): number
  redraw(): void
  /** What an empty editor shows. */
  placeholder?(): string
  submit(input: PromptInput): void
  /** The image that a pasted text names, if it names one. */
  readImage?(path: string): Promise<{ part: Part; name: string } | undefined>
}

export interface PromptEditor {
  /** With the cursor's position, unless a list of completions is open. */
  lines(width: number): { lines: string[]; cursor?: { row: number; column: number } }
  key(data: string): void
  paste(text: string): void
  image(part: Part, name: string): void
  /** Puts back what was sent: with placeholders for pastes and images again, and the cursor at the end. */
  put(input: PromptInput): void
  /** The same for text that is not in the log: it is the person's own. */
  keep(draft: PromptInput): void
  /** Replaces the draft's text; an image whose placeholder is still in it stays. */
  rewrite(text: string): void
  /** What stays when a command was typed under it; `given`: unchanged since it came back. */
  leave(under: { draft: PromptInput; given: boolean }): void
  /** What came back last; it may have been edited since. */
  readonly given: string
  /** The person wrote this, and it is nowhere else: nothing may replace it. */
  readonly own: boolean
  readonly text: string
  /** With pastes expanded. */
  readonly expanded: string
  /** What would be sent now. */
  readonly input: PromptInput
  readonly empty: boolean
  readonly completing: boolean
  clear(): void
  /** With pastes expanded: what a placeholder stands for is forgotten with the draft. */
  remember(text: string): void
}

/** The editor marks its cursor and draws it in reverse; we show the terminal's own instead. */
const CURSOR = "\u001b_pi:c\u0007"
const DRAWN_CURSOR = new RegExp(`${ESC}\\[7m([^${ESC}]*)${ESC}\\[0m`)

const SIGN = "❯"
const IMAGE_PATH = /^[^\n]+\.(?:png|jpe?g|gif|webp)$/i

export function promptEditor(parts: EditorDeps): PromptEditor {
  const { theme } = parts
  const list = {
    selectedPrefix: theme.key,
    selectedText: theme.key,
    description: theme.quiet,
    scrollInfo: theme.quiet,
    noMatch: theme.quiet,
  }
  const editor = makeEditor(parts, { borderColor: theme.quiet, selectList: list })
  editor.setAutocompleteProvider(completion(parts))
  editor.focused = true
  let images: Image[] = []
  let given = ""
  let isLogged = false

  function fill(input: PromptInput): void {
    editor.setText("")
    images = imagesOf(input)
    for (const piece of takeApart(input.display ?? input.text, input.text)) {
      if (piece.type === "paste") paste(piece.text)
      else editor.insertTextAtCursor(piece.text)
    }
    given = editor.getText()
  }

  function inputOf(display: string, text: string): PromptInput {
    const media = imagesIn(display, images)
    return { text, ...(display === text ? {} : { display }), ...(media.length === 0 ? {} : { media }) }
  }

  /** The text before a key, because submitting empties the editor. */
  let shown = ""
  editor.onSubmit = (text) => {
    const input = inputOf(hasPaste(shown) ? shown.trim() : text, text)
    images = []
    parts.submit(input)
  }

  /** The end of the last line is typed, so that a placeholder does not count an extra line. */
  function paste(text: string): void {
    const [, lines = "", end = ""] = /^([\s\S]*?)(\r?\n)?$/.exec(text) ?? []
    editor.handleInput(`\u001b[200~${lines}\u001b[201~`)
    if (end !== "") editor.insertTextAtCursor("\n")
  }

  /** A text that names an image becomes that image; any other text is inserted at once, before the next key. */
  function pasteOrImage(text: string): void {
    const path = text.trim().replace(/^["']|["']$/g, "")
    if (parts.readImage === undefined || !IMAGE_PATH.test(path)) {
      paste(text)
      return
    }
    void parts.readImage(path).then((image) => {
      if (image === undefined) paste(text)
      else insertImage(image.part, image.name)
      parts.redraw()
    })
  }

  function insertImage(part: Part, name: string): void {
    const number = Math.max(0, ...images.map((image) => image.number)) + 1
    images.push({ number, part })
    editor.insertTextAtCursor(`${imageMark(number, sanitiseLine(name))} `)
  }

  /** The editor paints its border character by character; one style for all of it takes a tenth of the bytes. */
  const [open = "", close = ""] = theme.quiet("─").split("─")
  const joined = (line: string) => (open === "" ? line : line.replaceAll(close + open, ""))

  /** A sign before the first line; an empty editor shows what can be typed. */
  function marked([border = "", first = "", ...rest]: string[], width: number): string[] {
    if (!first.startsWith("  ") || border.includes("↑")) return [border, first, ...rest]
    const words = editor.getText() === "" ? (parts.placeholder?.() ?? "") : ""
    const text = words === "" ? first.slice(2) : `${CURSOR}${theme.quiet(clip(words, width - 3))}`
    return [border, `${theme.person(SIGN)} ${text}`, ...rest]
  }

  return {
    lines(width) {
      const lines = marked(editor.render(width).map(joined), width)
      const row = lines.findIndex((line) => line.includes(CURSOR))
      if (row === -1) return { lines: lines.map((line) => line.trimEnd()) }
      const line = lines[row] ?? ""
      const before = line.slice(0, line.indexOf(CURSOR))
      const rest = line.slice(before.length + CURSOR.length).replace(DRAWN_CURSOR, "$1")
      lines[row] = before + rest
      return { lines: lines.map((each) => each.trimEnd()), cursor: { row, column: styledWidth(before) } }
    },
    key(data) {
      shown = editor.getText()
      const listed = editor.isShowingAutocomplete() && keyPress(data)?.name === "enter"
      editor.handleInput(data)
      // The text was complete: Enter sends it, because the list had nothing to add.
      if (listed && editor.getText().trimEnd() === shown.trimEnd()) editor.handleInput(data)
    },
    paste: pasteOrImage,
    image: insertImage,
    put(input) {
      fill(input)
      isLogged = true
    },
    keep(draft) {
      fill(draft)
      isLogged = false
    },
    rewrite(text) {
      const media = imagesIn(text, images)
      fill({ text, ...(media.length === 0 ? {} : { media }) })
      isLogged = false
    },
    leave(under) {
      const wasLogged = isLogged && under.given
      fill(under.draft)
      isLogged = wasLogged
    },
    get given() {
      return given
    },
    get own() {
      const text = editor.getText()
      return text !== "" && !(isLogged && text === given)
    },
    get text() {
      return editor.getText()
    },
    get expanded() {
      return editor.getExpandedText()
    },
    get input() {
      return inputOf(editor.getText(), editor.getExpandedText())
    },
    get empty() {
      return editor.getText() === ""
    },
    get completing() {
      return editor.isShowingAutocomplete()
    },
    clear() {
      editor.setText("")
      images = []
    },
    remember: (text) => editor.addToHistory(text),
  }
}

/** As the editor writes them. */
const TEXT = /\[paste #\d+ (?:\+(\d+) lines|(\d+) chars)\]/g

/**
 * Placeholders in the editor for a long pasted text. And the reverse: a stored message is taken apart again, so that a
 * rewind brings back the placeholders and not walls of text.
 */
function hasPaste(display: string): boolean {
  return display.search(TEXT) !== -1
}

type PromptPiece = { type: "typed"; text: string } | { type: "paste"; text: string }

/**
 * What was typed and what was pasted, from what the editor showed and what was sent. Contract: the pieces joined are
 * `text`. If the two do not match, all of it counts as typed.
 */
function takeApart(display: string, text: string): PromptPiece[] {
  const pieces: PromptPiece[] = []
  let shownAt = 0
  let at = 0
  const marks = [...display.matchAll(TEXT)]
  for (const [i, mark] of marks.entries()) {
    const typed = display.slice(shownAt, mark.index)
    if (!text.startsWith(typed, at)) return [{ type: "typed", text }]
    at += typed.length
    shownAt = mark.index + mark[0].length
    const next = display.slice(shownAt, marks[i + 1]?.index ?? display.length)
    const length = pasteLength(text.slice(at), mark, next, i === marks.length - 1)
    if (length === undefined) return [{ type: "typed", text }]
    if (typed !== "") pieces.push({ type: "typed", text: typed })
    pieces.push({ type: "paste", text: text.slice(at, at + length) })
    at += length
  }
  const rest = display.slice(shownAt)
  if (text.slice(at) !== rest) return [{ type: "typed", text }]
  if (rest !== "") pieces.push({ type: "typed", text: rest })
  return pieces
}

function pasteLength(text: string, mark: RegExpExecArray, next: string, last: boolean): number | undefined {
  const [, lines, characters] = mark
  if (characters !== undefined) return Number(characters) <= text.length ? Number(characters) : undefined
  if (last) return text.endsWith(next) ? text.length - next.length : undefined
  let at = 0
  for (let i = 1; i < Number(lines); i++) {
    const end = text.indexOf("\n", at)
    if (end === -1) return undefined
    at = end + 1
  }
  const found = text.indexOf(next, at)
  return found === -1 ? undefined : found
}
