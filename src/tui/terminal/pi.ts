// The one module that knows pi-tui. No links: a session could hide one behind any text.
import {
  type AutocompleteItem,
  type AutocompleteProvider,
  decodeKittyPrintable,
  Editor,
  type EditorTheme,
  isKeyRelease,
  KeybindingsManager,
  type KeyId,
  Markdown,
  type MarkdownTheme,
  parseKey,
  StdinBuffer,
  setCapabilities,
  setKeybindings,
  setKittyProtocolActive,
  type TUI,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui"

setCapabilities({ images: null, trueColor: false, hyperlinks: false })

export type { AutocompleteItem, AutocompleteProvider, Editor, EditorTheme, MarkdownTheme }
export { decodeKittyPrintable, isKeyRelease, Markdown, parseKey, StdinBuffer, setKittyProtocolActive }

/** The editor needs only the screen's height, and a way to request a redraw. */
export function makeEditor(screen: { rows(): number; redraw(): void }, theme: EditorTheme): Editor {
  const surface = {
    requestRender: () => screen.redraw(),
    terminal: {
      get rows() {
        return screen.rows()
      },
    },
  }
  return new Editor(surface as unknown as TUI, theme, { paddingX: 2, autocompleteMaxVisible: 7 })
}

/** Keys of the editor, for the whole process. */
export function setEditorKeys(keys: Readonly<Record<string, string[]>>): void {
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, keys as Record<string, KeyId[]>))
}
