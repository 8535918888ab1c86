// pi-tui alone: an empty conversation, one Markdown component that grows, an editor. No host, no log, no scrollback.
import {
  Container,
  Editor,
  type EditorTheme,
  Markdown,
  type MarkdownTheme,
  type Terminal,
  TUI,
} from "@earendil-works/pi-tui"
import { COLUMNS, makeTypist, pace, ROWS, type Typist } from "./stub-terminal.ts"

/** pi-tui writes a frame as one text; everything else it writes is mode switches. */
const FRAME = "\u001b[?2026h"
const plain = (text: string) => text
const LIST = { selectedPrefix: plain, selectedText: plain, description: plain, scrollInfo: plain, noMatch: plain }
const EDITOR: EditorTheme = { borderColor: plain, selectList: LIST }
const MARKDOWN: MarkdownTheme = {
  heading: plain,
  link: plain,
  linkUrl: plain,
  code: plain,
  codeBlock: plain,
  codeBlockBorder: plain,
  quote: plain,
  quoteBorder: plain,
  hr: plain,
  listBullet: plain,
  bold: plain,
  italic: plain,
  strikethrough: plain,
  underline: plain,
}

export interface PiStream {
  typist: Typist
  stream(tokens: readonly string[], perSecond: number): Promise<void>
}

export function openPi(): PiStream {
  let input: (data: string) => void = () => undefined
  const typist = makeTypist((data) => input(data))
  const nothing = () => undefined
  const terminal: Terminal = {
    start(given) {
      input = given
    },
    stop: nothing,
    drainInput: async () => undefined,
    write(text) {
      if (text.startsWith(FRAME)) typist.wrote()
    },
    columns: COLUMNS,
    rows: ROWS,
    kittyProtocolActive: false,
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
  }
  const tui = new TUI(terminal)
  const conversation = new Container()
  const editor = new Editor(tui, EDITOR)
  tui.addChild(conversation)
  tui.addChild(editor)
  tui.setFocus(editor)
  tui.start()
  return {
    typist,
    async stream(tokens, perSecond) {
      conversation.clear()
      const message = new Markdown("", 1, 0, MARKDOWN)
      conversation.addChild(message)
      let text = ""
      await pace(tokens, perSecond, (token) => {
        text += token
        message.setText(text)
        tui.requestRender()
      })
    },
  }
}
