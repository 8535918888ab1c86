// The parts of the screen, for code that draws on it or reads from it.
import type { PromptEditor } from "../editor/editor.ts"
import type { ProgressLine } from "../screen/progress.ts"
import type { Screen } from "../screen/screen.ts"
import type { Theme } from "../terminal/theme.ts"

export interface OnScreen {
  readonly theme: Theme
  readonly screen: Screen
  readonly editor: PromptEditor
  readonly progress: ProgressLine
}
