// The keys that are not the editor's own, by what they do. Each can be changed in the configuration.

export const KEYS = {
  stop: { keys: ["escape"], about: "stop the agent; twice when idle: the rewind list" },
  clear: { keys: ["ctrl+c"], about: "clear the editor, stop the agent, twice to leave" },
  quit: { keys: ["ctrl+d"], about: "leave, when the editor is empty" },
  suspend: { keys: ["ctrl+z"], about: "back to the shell; fg returns" },
  details: { keys: ["ctrl+o"], about: "show what was folded" },
  tree: { keys: ["ctrl+t"], about: "the tree of the session" },
  edit: { keys: ["ctrl+g"], about: "write in your own editor" },
  image: { keys: ["ctrl+v"], about: "paste an image" },
  mode: { keys: ["shift+tab"], about: "what the agent may do without asking" },
  takeBack: { keys: ["alt+up"], about: "take back what is queued" },
  redraw: { keys: ["ctrl+l"], about: "draw the screen again" },
} as const satisfies Record<string, { keys: readonly string[]; about: string }>

export type KeyAction = keyof typeof KEYS
export type Keys = Record<KeyAction, readonly string[]>

export const KEY_ACTIONS = Object.keys(KEYS) as KeyAction[]

export function keyMap(changes: Partial<Keys> = {}): Keys {
  return Object.fromEntries(KEY_ACTIONS.map((action) => [action, changes[action] ?? KEYS[action].keys])) as Keys
}

export function actionFor(keys: Keys, name: string): KeyAction | undefined {
  return KEY_ACTIONS.find((action) => keys[action].includes(name))
}

/** Keys of the editor beyond its own. */
export const EDITOR_KEYS: Readonly<Record<string, string[]>> = {
  "tui.input.newLine": ["shift+enter", "alt+enter", "ctrl+j"],
  "tui.editor.undo": ["ctrl+-", "ctrl+_"],
}
